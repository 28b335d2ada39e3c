import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { bpmn, end, eventually, inARow, makeProcess, start } from '../../make/builders/processes/processes.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { upload } from '../../make/builders/records/uploads.ts'
import { type ApiAnswer, sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
let relation: number
let agent: Awaited<ReturnType<typeof userWith>>
const api = (method: string, path: string, body?: unknown, token = service.admin.token): Promise<ApiAnswer> =>
  service.api(method, path, { token, body })
async function data(method: string, path: string, body?: unknown, token?: string): Promise<any> {
  const answer = await api(method, path, body, token)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body?.data
}
const create = async (model: string): Promise<number> => (await data('POST', `/api/e/${model}`, { title: 'x' })).id
const at = (id: number, rest = '') => `/api/e/orders/${id}${rest}`
const link = (id: number, parts: readonly number[]) =>
  data('POST', `/api/sys/add_related_instances/${relation}/l_table/${id}`, { ids: parts })
const linked = async (table: string, id: number) => {
  const { body } = await api('GET', `/api/sys/related_instances/${relation}/${table}/${id}`)
  expect(body.meta.total).toBe(body.data.length)
  return body.data.map((one: any) => one.id)
}
const bulkDelete = (ids: readonly number[], more: object = {}, model = 'orders') =>
  data('POST', `/api/e/${model}/bulk`, { ids, delete: true, ...more })
const undo = (batch: number, more: object = {}, token?: string) =>
  data('POST', `/api/sys/batches/${batch}/undo`, more, token)
const restore = async (id: number, token?: string) => {
  const [removal] = await data('GET', `/api/sys/history/orders/${id}`)
  const as_of = new Date(Date.parse(removal.at ?? removal.created_at) - 1).toISOString()
  return api('POST', at(id, '/restore'), { as_of }, token)
}
const waits = bpmn(inARow(start, '<userTask id="wait"/>', end))

beforeAll(async () => {
  service = await sharedService()
  for (const name of ['orders', 'parts'])
    await makeTable(service, name, [
      { name: 'title', type: 'text' },
      { name: 'scan', type: 'file' },
    ])
  relation = (await data('POST', '/api/sys/relations', { name: 'uses', l_table: 'orders', r_table: 'parts' })).id
  agent = await userWith(service, ['orders.*', 'parts.read'])
})
afterAll(() => service?.stop())

describe('a deleted record that an undo brings back', () => {
  it('has its comments, links, watchers, snoozes and files again, and the answer counts them', async () => {
    const [id, one, two] = [await create('orders'), await create('parts'), await create('parts')]
    const [path, scan] = [await upload(service), await upload(service)]
    await data('PATCH', at(id), { scan })
    await link(id, [one, two])
    await data('POST', at(id, '/comments'), { body: 'One', attachments: [path] })
    await data('POST', at(id, '/comments'), { body: 'Two', is_internal: true })
    await data('POST', at(id, '/watchers'), { user_ids: [agent.id] })
    await data('PUT', at(id, '/snooze'), { until: '2099-01-01T00:00:00.000Z' })
    const { batch_id } = await bulkDelete([id])
    await service.cloud.idle()
    const open = async (file: string) => (await api('GET', `/api/files?path=${encodeURIComponent(file)}`)).status
    expect([await linked('parts', one), await open(path), await open(scan)]).toEqual([[], 404, 404])
    expect((await api('GET', at(id, '/comments'))).status).toBe(404)
    expect(await undo(batch_id, { dry_run: true })).toMatchObject({ returned: [{ id, comments: 2, links: 2 }] })
    expect((await undo(batch_id)).returned).toEqual([
      {
        id,
        comments: 2,
        watchers: 1,
        links: 2,
        waiting_links: 0,
        is_pending: false,
        missing_files: [],
        cancelled_processes: [],
      },
    ])
    expect((await data('GET', at(id, '/comments'))).map(({ body }: any) => body)).toEqual(['Two', 'One'])
    expect([await linked('orders', id), await linked('parts', one)]).toEqual([[two, one], [id]])
    expect((await data('GET', at(id, '/watchers'))).watchers.map((who: any) => who.id)).toContain(agent.id)
    expect([await open(path), await open(scan)]).toEqual([200, 200])
    expect((await api('GET', at(id))).body.meta).toEqual({ snoozed_until: '2099-01-01T00:00:00.000Z' })
    await data('PATCH', at(id), { title: 'changed' })
    expect((await api('GET', at(id))).body.meta).toBeUndefined()
  })

  it('counts no internal comment to who may not read one', async () => {
    const id = await create('orders')
    await data('POST', at(id, '/comments'), { body: 'One' })
    await data('POST', at(id, '/comments'), { body: 'Two', is_internal: true })
    const clerk = await userWith(service, ['orders.read', 'orders.update', 'orders.delete'])
    const { batch_id } = await data('POST', '/api/e/orders/bulk', { ids: [id], delete: true }, clerk.token)
    expect(await undo(batch_id, {}, clerk.token)).toMatchObject({ changed: 1, returned: [{ comments: 1 }] })
  })

  it('is linked again when the other record is back, whichever comes first', async () => {
    const [order, part] = [await create('orders'), await create('parts')]
    await link(order, [part])
    const [first, second] = [await bulkDelete([order]), await bulkDelete([part], {}, 'parts')]
    expect((await undo(first.batch_id)).returned).toMatchObject([{ links: 0, waiting_links: 1 }])
    expect(await linked('orders', order)).toEqual([])
    expect((await undo(second.batch_id)).returned).toMatchObject([{ links: 1, waiting_links: 0 }])
    expect([await linked('orders', order), await linked('parts', part)]).toEqual([[part], [order]])
  })

  it('is as before after it was deleted and brought back twice, by undo and by restore', async () => {
    const [order, part] = [await create('orders'), await create('parts')]
    await link(order, [part])
    await data('POST', at(order, '/comments'), { body: 'Stays' })
    const { batch_id } = await bulkDelete([order])
    const undone = await undo(batch_id)
    await undo(undone.batch_id)
    expect((await api('GET', at(order))).status).toBe(404)
    const { status, body } = await restore(order)
    expect([status, body.meta]).toEqual([
      200,
      {
        missing_files: [],
        returned: { comments: 1, watchers: 0, links: 1, waiting_links: 0, is_pending: false },
        cancelled_processes: [],
      },
    ])
    expect([await linked('parts', part), (await data('GET', at(order, '/comments'))).length]).toEqual([[order], 1])
  })

  it('shows its comments in no timeline while it is away', async () => {
    const id = await create('orders')
    await data('POST', at(id, '/comments'), { body: 'Told once' })
    await bulkDelete([id])
    await service.cloud.idle()
    const { status, body } = await api('GET', `/api/e/orders/${id}/timeline?kinds=comment,change`)
    expect([status, JSON.stringify(body).includes('Told once')]).toEqual([200, false])
  })
})

describe('the processes of a deleted record', () => {
  it('are named before and after, stay cancelled, and are started again by whom the answer offers it', async () => {
    await makeTable(service, 'cases', [{ name: 'title', type: 'text' }])
    await makeProcess(service, 'cases', 'handle', waits, { is_auto_start: true })
    const id = await create('cases')
    const instances = () => data('GET', `/api/sys/process-instances?model=cases&record_id=${id}`)
    const [began] = await eventually('the start', async () =>
      (await instances()).length > 0 ? instances() : undefined,
    )
    const named = { id: began.id, record_id: id, template: began.template }
    expect(await bulkDelete([id], { dry_run: true }, 'cases')).toMatchObject({ cancelled_processes: [named] })
    const deleted = await bulkDelete([id], {}, 'cases')
    expect(deleted.cancelled_processes).toEqual([named])
    expect(await data('GET', `/api/sys/batches/${deleted.batch_id}`)).toMatchObject({ cancelled_processes: [named] })
    // Before the delete has cancelled it.
    const undone = await undo(deleted.batch_id)
    const [again] = undone.returned[0].cancelled_processes
    expect(again).toMatchObject({ ...named, start_again: { method: 'POST', path: '/api/sys/process-instances' } })
    const started = await data(again.start_again.method, again.start_again.path, again.start_again.body)
    await service.cloud.idle()
    const statuses = Object.fromEntries((await instances()).map((one: any) => [one.id, one.status]))
    expect(statuses).toEqual({ [began.id]: 'cancelled', [started.id]: 'running' })
  })

  it('are not named to who may not read the record', async () => {
    const id = await create('cases')
    await service.cloud.idle()
    const cleaner = await userWith(service, ['cases.delete', 'cases.update'])
    const { cancelled_processes, batch_id } = await data(
      'POST',
      '/api/e/cases/bulk',
      { ids: [id], delete: true },
      cleaner.token,
    )
    expect(cancelled_processes).toBeUndefined()
    expect((await undo(batch_id, {}, cleaner.token)).returned).toBeUndefined()
  })
})
