import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordKey } from '../../../shared/platform/store/keys/records.ts'
import { readSequence } from '../../../shared/platform/store/sequence/sequence.ts'
import { userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'

const tenant = { id: 1 }
let service: TestService
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
const history = async (id: number) => (await api('GET', `/api/sys/history/things/${id}`)).body

beforeAll(async () => {
  service = await startService({ log: () => {}, environment: { SETTLE_MS: '100', REPAIR_AFTER_MS: '0' } })
  await makeTable(service, 'things', [
    { name: 'title', type: 'text' },
    { name: 'n', type: 'integer' },
  ])
})
afterAll(() => service?.stop())

/**
 * Runs the nightly repair, with `meanwhile` during it; answers the result of its job, or undefined when no job was
 * started.
 */
async function night(meanwhile: () => Promise<unknown> = async () => {}): Promise<unknown> {
  // A repair covers changes before the current millisecond only.
  await new Promise((resolve) => setTimeout(resolve, 5))
  const { started } = (await service.cloud.invoke('nightly-repair')) as { started: number }
  if (started === 0) return undefined
  await meanwhile()
  const { items } = await service.store.query(tenant, { pk: 'T#1#JOBS', reverse: true, limit: 1 })
  for (const end = Date.now() + 100_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 25))) {
    const { data } = (await api('GET', `/api/sys/jobs/${Number(items[0]?.sk)}`)).body
    if (data.status === 'done' || data.status === 'failed')
      return { status: data.status, errors: data.errors, ...data.result }
  }
  throw new Error('the repair did not end')
}

const nothing = { status: 'done', errors: [], history: 0, live: 0, columns: 0 }

it('the nightly repair restores history and the count of records, and has nothing to do the second time', async () => {
  const { store, cloud } = service
  const create = async (body: object) => (await api('POST', '/api/e/things', body)).body.data.id as number
  const [changed, fresh] = [await create({ title: 'lamp', n: 1 }), await create({ title: 'chair', n: 5 })]
  await api('PATCH', `/api/e/things/${changed}`, { n: 2 })
  await cloud.idle()
  await api('PATCH', `/api/e/things/${changed}`, { title: 'desk' })
  await cloud.idle()
  const whole = await history(changed)
  expect(whole.data.map(({ id }: { id: number }) => id)).toEqual([3, 2, 1])
  expect(await night()).toEqual(nothing)
  expect(await night()).toBeUndefined()

  // Lost: a version in the middle and a whole history; and a create that raised the count stored no record.
  await api('PATCH', `/api/e/things/${fresh}`, { n: 6 })
  for (const n of [3, 4]) await api('PATCH', `/api/e/things/${changed}`, { n })
  const gone = await create({ title: 'stool', n: 7 })
  await api('DELETE', `/api/e/things/${gone}`)
  await cloud.idle()
  await store.write(tenant, { remove: { pk: `T#1#H#things#${gone}`, sk: '0000000002' } })
  const before = { changed: await history(changed), fresh: await history(fresh) }
  await store.write(tenant, { remove: { pk: `T#1#H#things#${changed}`, sk: '0000000004' } })
  for (const sk of ['0000000001', '0000000002'])
    await store.write(tenant, { remove: { pk: `T#1#H#things#${fresh}`, sk } })
  await store.write(tenant, {
    update: { pk: 'T#1#SEQ#things', sk: 'things' },
    change: {
      expression: 'ADD #live :one, #next :one',
      names: { '#live': 'live', '#next': 'next' },
      values: { ':one': 1 },
    },
  })
  expect(await night()).toEqual({ ...nothing, history: 4, live: 1 })
  await cloud.idle()
  expect((await readSequence(store, tenant, 'things')).live).toBe(2)

  const repaired = await history(changed)
  expect(repaired.meta.pending).toBeUndefined()
  const lost = ({ id }: { id: number }): boolean => id === 4
  expect(repaired.data.filter((entry: { id: number }) => !lost(entry))).toEqual(
    before.changed.data.filter((entry: { id: number }) => !lost(entry)),
  )
  expect(repaired.data.find(lost)).toMatchObject({
    action: 'update',
    source: 'repair',
    changes: { n: { old: 2, new: 3 } },
    user: { id: 0 },
  })
  const [update, made] = (await history(fresh)).data
  expect(made).toMatchObject({ action: 'create', changes: {}, source: 'repair' })
  expect(update).toMatchObject({
    user: { id: service.admin.userId },
    source: 'repair',
    changes: { title: { old: null, new: 'chair' }, n: { old: null, new: 6 } },
  })

  expect((await history(gone)).data[0]).toMatchObject({
    id: 2,
    action: 'delete',
    source: 'repair',
    user: { id: service.admin.userId },
    changes: { title: { old: 'stool', new: null }, n: { old: 7, new: null } },
  })

  expect(await night()).toBeUndefined()
  await store.write(tenant, { remove: { pk: 'T#1#REPAIR', sk: 'T#1#REPAIR' } })
  expect(await night()).toEqual(nothing)
})

it('the nightly repair corrects the count of records while records are created and deleted', async () => {
  const create = async (title: string) => (await api('POST', '/api/e/things', { title })).body.data.id as number
  const doomed = [await create('bench'), await create('shelf'), await create('stove')]
  await service.cloud.idle()
  const { total } = (await api('GET', '/api/e/things')).body.meta
  await service.store.write(tenant, {
    update: { pk: 'T#1#SEQ#things', sk: 'things' },
    change: { expression: 'ADD #live :lost', names: { '#live': 'live' }, values: { ':lost': 5 } },
  })
  const comeAndGo = async () => {
    for (const id of doomed) {
      await create(`instead of ${id}`)
      await api('DELETE', `/api/e/things/${id}`)
    }
    await create('one more')
  }
  expect(await night(comeAndGo)).toEqual({ ...nothing, live: 1 })
  expect((await api('GET', '/api/e/things')).body.meta.total).toBe(total + 1)
  await service.cloud.idle()
  expect(await night()).toEqual(nothing)
  expect(await night()).toBeUndefined()
})

describe('the nightly repair looks for references to what is gone', () => {
  const refers = (name: string, on_delete: string) => ({ name, type: 'model_list', target_table: 'owners', on_delete })
  const create = async (model: string, data: object) =>
    (await api('POST', `/api/e/${model}`, data)).body.data.id as number
  const part = async (id: number) => (await api('GET', `/api/e/parts/${id}`)).body.data.data
  beforeAll(async () => {
    await makeTable(service, 'owners', [{ name: 'name', type: 'text' }])
    await makeTable(service, 'parts', [
      { name: 'name', type: 'text' },
      refers('kept', 'keep'),
      refers('cleared', 'set_null'),
      refers('needed', 'restrict'),
    ])
  })

  /** A part with a reference that was written in the moment in which nobody could find it. */
  async function escaped(data: object): Promise<number> {
    const id = await create('parts', { name: 'part' })
    await service.store.write(tenant, {
      update: recordKey(tenant, 'parts', id),
      change: {
        expression: 'SET #data = :data',
        names: { '#data': 'data' },
        values: { ':data': JSON.stringify({ name: 'part', ...data }) },
      },
    })
    return id
  }

  it('and clears them, or has them follow a merge; what keeps its reference stays as it is', async () => {
    const [gone, merged, survivor] = [
      await create('owners', { name: 'Gone' }),
      await create('owners', { name: 'Merged' }),
      await create('owners', { name: 'Survivor' }),
    ]
    await api('DELETE', `/api/e/owners/${gone}`)
    expect((await api('POST', `/api/e/owners/${merged}/merge`, { into: survivor })).status).toBe(200)
    const first = await escaped({ kept: gone, cleared: gone })
    const second = await escaped({ kept: merged, cleared: merged, needed: merged })
    await service.cloud.idle()
    expect(await night()).toEqual({ ...nothing, references: 4 })
    expect(await part(first)).toEqual({ name: 'part', kept: gone, cleared: null })
    expect(await part(second)).toEqual({ name: 'part', kept: survivor, cleared: survivor, needed: survivor })
    await service.cloud.idle()
    expect(await night()).toEqual(nothing)
  })

  it('and leaves those alone whose field got its on_delete after the delete', async () => {
    const fields = (cleared: string, needed: string) => [refers('cleared', cleared), refers('needed', needed)]
    await makeTable(service, 'spares', fields('keep', 'keep'))
    const gone = await create('owners', { name: 'Gone' })
    const id = await create('spares', { cleared: gone, needed: gone })
    await api('DELETE', `/api/e/owners/${gone}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
    const changed = { table_fields: fields('set_null', 'restrict') }
    expect((await api('PUT', '/api/sys/entities/name/spares', changed)).status).toBe(200)
    await service.cloud.idle()
    expect(await night()).toEqual(nothing)
    expect((await api('GET', `/api/e/owners/${gone}`)).status).toBe(404)
    expect((await api('GET', `/api/e/spares/${id}`)).body.data.data).toEqual({ cleared: gone, needed: gone })
  })

  it('and brings back what restrict should have kept, and tells of it', async () => {
    const needed = await create('owners', { name: 'Needed' })
    const { token, id: userId } = await userWith(service, ['owners.*'])
    expect((await service.api('DELETE', `/api/e/owners/${needed}`, { token })).status).toBe(204)
    const id = await escaped({ needed })
    await service.cloud.idle()
    const text = `owners ${needed} was deleted while parts ${id} began to refer to it by needed, which does not allow that. It was brought back.`
    expect(await night()).toEqual({
      ...nothing,
      errors: [{ message: text, model: 'parts', id }],
      references: 1,
    })
    expect((await api('GET', `/api/e/owners/${needed}`)).body.data).toMatchObject({
      data: { name: 'Needed' },
      version: 3,
    })
    await api('PATCH', `/api/e/parts/${id}`, { name: 'in use' })
    expect((await api('DELETE', `/api/e/owners/${needed}`)).status).toBe(422)
    const told = async (as: string) => (await service.api('GET', '/api/notifications', { token: as })).body.data[0]
    expect(await told(service.admin.token)).toMatchObject({
      title: `owners ${needed} was deleted and is still in use`,
      text,
    })
    const alone = await told(token)
    expect(alone.text).toContain('It was brought back.')
    expect(alone.text).not.toContain('parts')
    expect(userId).not.toBe(service.admin.userId)
  })
})
