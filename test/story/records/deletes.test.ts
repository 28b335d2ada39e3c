import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordKey } from '../../../shared/platform/store/keys/records.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { everyRecordRow } from '../../make/oracles/every-record-row.ts'
import { functionNamed } from '../../make/services/function-named.ts'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
const create = async (model: string, body: object) =>
  (await api('POST', `/api/e/${model}`, body)).body.data.id as number
const dataOf = async (model: string, id: number) => (await api('GET', `/api/e/${model}/${id}`)).body.data?.data

beforeAll(async () => {
  service = await startService({ log: () => {} })
  await makeTable(service, 'clients', [{ name: 'name', type: 'text' }])
  await makeTable(service, 'tasks', [
    { name: 'keeps', type: 'model_list', target_table: 'clients' },
    { name: 'restricts', type: 'model_list', target_table: 'clients', on_delete: 'restrict' },
    { name: 'clears', type: 'model_list', target_table: 'clients', on_delete: 'set_null' },
    { name: 'parent', type: 'model_list', target_table: 'tasks', on_delete: 'set_null' },
  ])
})
afterAll(() => service?.stop())

describe('deleting a record', () => {
  it('answers 204 without a body, and 404 from then on', async () => {
    const id = await create('clients', { name: 'Ann' })
    const { status, body } = await api('DELETE', `/api/e/clients/${id}`)
    expect([status, body]).toEqual([204, undefined])
    for (const method of ['GET', 'DELETE']) expect((await api(method, `/api/e/clients/${id}`)).status).toBe(404)
    expect((await api('PATCH', `/api/e/clients/${id}`, { name: 'B' })).status).toBe(404)
    expect((await api('POST', '/api/e/tasks', { keeps: id })).body.errors).toEqual({
      keeps: ['The selected keeps is invalid.'],
    })
  })

  it('is refused while a restrict reference points to it, and names the referring record', async () => {
    const client = await create('clients', { name: 'Ann' })
    const task = await create('tasks', { restricts: client })
    const { status, body } = await api('DELETE', `/api/e/clients/${client}`)
    expect([status, body]).toEqual([
      422,
      {
        success: false,
        code: 'in_use',
        message: 'The record is still in use.',
        errors: { 'tasks.restricts': [`The record is still in use: tasks ${task} refers to it.`] },
        field_errors: {
          'tasks.restricts': [
            {
              code: 'used_by',
              params: { model: 'tasks', id: task },
              message: `The record is still in use: tasks ${task} refers to it.`,
            },
          ],
        },
      },
    ])
    await api('PATCH', `/api/e/tasks/${task}`, { restricts: null })
    expect((await api('DELETE', `/api/e/clients/${client}`)).status).toBe(204)
  })

  it('clears set_null references with a history entry, and leaves other references', async () => {
    const client = await create('clients', { name: 'Ann' })
    const task = await create('tasks', { keeps: client, clears: client })
    await api('DELETE', `/api/e/clients/${client}`)
    expect(await dataOf('tasks', task)).toEqual({ keeps: client, clears: null })
    expect((await api('GET', `/api/sys/history/tasks/${task}`)).body.data[0]).toMatchObject({
      action: 'update',
      source: 'delete',
      changes: { clears: { old: client, new: null } },
    })
  })

  it('is not refused because of a reference to itself', async () => {
    const task = await create('tasks', {})
    await api('PATCH', `/api/e/tasks/${task}`, { parent: task })
    expect((await api('DELETE', `/api/e/tasks/${task}`)).status).toBe(204)
  })

  it('continues in the background when more records refer to it than a request can clear', async () => {
    const client = await create('clients', { name: 'Popular' })
    const tasks = await Promise.all(Array.from({ length: 130 }, () => create('tasks', { clears: client })))
    expect((await api('DELETE', `/api/e/clients/${client}`)).status).toBe(204)
    expect((await api('GET', `/api/e/clients/${client}`)).status).toBe(404)
    await service.cloud.idle()
    expect(await Promise.all(tasks.map((id) => dataOf('tasks', id)))).toEqual(tasks.map(() => ({ clears: null })))
    expect(await leftovers('clients')).toEqual([])
  })

  it.each(['mark', 'removal'] as const)('is finished by the sweeper after a crash at its %s', async (moment) => {
    const client = await create('clients', { name: 'Ann' })
    const task = await create('tasks', { clears: client })
    const { total } = (await api('GET', '/api/e/clients')).body.meta
    const functionName = functionNamed(service, 'Records')
    const skip = moment === 'mark' ? 0 : 1
    service.cloud.faults.inject({
      functionName,
      operation: 'TransactWriteItems',
      skip,
      action: moment === 'mark' ? 'crash-after' : 'crash-before',
    })
    expect((await api('DELETE', `/api/e/clients/${client}`)).status).toBe(500)
    expect((await api('GET', `/api/e/clients/${client}`)).status).toBe(404)
    expect((await api('GET', '/api/e/clients')).body.meta.total).toBe(total - 1)
    expect(await leftovers('clients')).toHaveLength(1)
    await makeDue('clients', client)
    expect(await service.cloud.invoke('due-sweeper')).toMatchObject({
      removals: 1,
      hooks: 0,
      jobs: 0,
      processes: 0,
      intents: 0,
      deliveries: 0,
    })
    await service.cloud.idle()
    expect(await leftovers('clients')).toEqual([])
    expect(await dataOf('tasks', task)).toEqual({ clears: null })
    expect((await api('GET', `/api/sys/history/clients/${client}`)).body.data[0]).toMatchObject({
      action: 'delete',
      id: 2,
    })
    expect((await api('GET', '/api/e/clients')).body.meta.total).toBe(total - 1)
    expect(await service.cloud.invoke('due-sweeper')).toMatchObject({
      removals: 0,
      hooks: 0,
      jobs: 0,
      processes: 0,
      intents: 0,
      deliveries: 0,
    })
  })

  it('allows the table to be deleted once it has no records', async () => {
    await makeTable(service, 'brief', [{ name: 'n', type: 'integer' }])
    const id = await create('brief', { n: 1 })
    expect((await api('DELETE', '/api/sys/entities/name/brief')).status).toBe(409)
    await api('DELETE', `/api/e/brief/${id}`)
    expect((await api('DELETE', '/api/sys/entities/name/brief')).status).toBe(204)
    expect((await api('GET', '/api/e/brief')).status).toBe(404)
  })
})

/** Rows of records that are being deleted: a finished delete leaves none. */
async function leftovers(model: string) {
  return (await everyRecordRow(service.store, model)).filter(({ deleted_at }) => deleted_at !== undefined)
}

/** Makes a delete due for the sweeper now. */
async function makeDue(model: string, id: number): Promise<void> {
  const key = recordKey({ id: 1 }, model, id)
  await service.store.write(
    { id: 1 },
    { update: key, change: { expression: 'SET s20 = :past', values: { ':past': `2000-01-01#1#${model}#${id}` } } },
  )
}
