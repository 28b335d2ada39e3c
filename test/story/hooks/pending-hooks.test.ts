import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordKey } from '../../../shared/platform/store/keys/records.ts'
import { setHooks, scriptRuns } from '../../make/builders/records/hooks.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
const seen = async () => (await api('GET', '/api/e/seen?sort=id')).body.data.map(({ data }: any) => data)
const records = () => service.cloud.functions.find((name) => name.startsWith('RecordsFunction')) as string
const notifications = async (): Promise<unknown[]> => {
  await service.cloud.idle()
  return (await api('GET', '/api/notifications?per_page=1000')).body.data
}
const note =
  "$api.create('seen', {what: $context.kind + ' ' + $data.title, was: $old ? $old.title : null, run_id: $context.run_id, record: JSON.stringify($record)}); $api.sendPushNotification('Done', $data.title, [$user.id])"

beforeAll(async () => {
  service = await startService({ log: () => {} })
  await makeTable(service, 'seen', [
    { name: 'what', type: 'text' },
    { name: 'was', type: 'text' },
    { name: 'run_id', type: 'text' },
    { name: 'record', type: 'text' },
  ])
})
afterAll(() => service?.stop())

beforeEach(async () => {
  service.cloud.faults.clear()
  for (const { id } of (await api('GET', '/api/e/seen?per_page=1000')).body.data)
    await api('DELETE', `/api/e/seen/${id}`)
})

/** Makes a record or its tombstone due for the sweeper, and runs the sweeper. */
async function sweep(model: string, id: number, row: 'record' | 'tombstone' = 'record') {
  const key = row === 'record' ? recordKey({ id: 1 }, model, id) : { pk: `T#1#H#${model}#${id}`, sk: 'TOMBSTONE' }
  await service.store.write(
    { id: 1 },
    { update: key, change: { expression: 'SET s20 = :past', values: { ':past': `2000-01-01#1#${model}#${id}` } } },
  )
  const swept = await service.cloud.invoke('due-sweeper')
  await service.cloud.idle()
  return swept
}

let count = 0
async function table(...kinds: string[]): Promise<string> {
  const name = `things_${++count}`
  await makeTable(service, name, [{ name: 'title', type: 'text' }])
  await setHooks(
    service,
    name,
    kinds.map((kind) => [kind, note]),
  )
  return name
}

describe('pending after hooks', () => {
  it('of an update see the values before it under the names that fields have by now', async () => {
    const name = await table()
    const { id } = (await api('POST', `/api/e/${name}`, { title: 'before' })).body.data
    const script = (field: string) => `$api.create('seen', { what: $data.${field}, was: $old.${field} })`
    await setHooks(service, name, [['after_update', script('title')]])
    service.cloud.faults.inject({ functionName: records(), operation: 'PutItem', action: 'crash-after' })
    await api('PATCH', `/api/e/${name}/${id}`, { title: 'after' })
    service.cloud.faults.clear()
    const table_fields = [{ name: 'subject', type: 'text', renamed_from: 'title' }]
    const automations = [{ kind: 'after_update', name: 'after_update', script: script('subject') }]
    const renamed = await api('PUT', `/api/sys/entities/name/${name}`, { table_fields, automations })
    expect([renamed.status, await seen()]).toEqual([200, []])
    await sweep(name, id)
    expect(await seen()).toEqual([{ what: 'after', was: 'before' }])
  })

  it('of a create run again by the sweeper with the same run id, and notify once', async () => {
    const model = await table('after_create')
    const before = (await notifications()).length
    // The function crashes after the hook created its record; the pending hook is still stored.
    service.cloud.faults.inject({ functionName: records(), operation: 'PutItem', skip: 1, action: 'crash-after' })
    expect((await api('POST', `/api/e/${model}`, { title: 'A' })).status).toBe(500)
    expect(await notifications()).toHaveLength(before)
    expect(await sweep(model, 1)).toMatchObject({ hooks: 1 })
    const [first, second] = await seen()
    expect(first).toMatchObject({ what: 'after_create A' })
    expect(second).toEqual(first)
    expect(await notifications()).toHaveLength(before + 1)
    expect(await service.cloud.invoke('due-sweeper')).toMatchObject({ hooks: 0 })
    const { body } = await api('GET', `/api/e/${model}/1`)
    expect(body.data.version).toBe(1)
    expect((await api('GET', `/api/sys/history/${model}/1`)).body.data).toHaveLength(1)
    expect((await scriptRuns(service, `&model=${model}`)).map(({ run_id }) => run_id)).toEqual([first.run_id])
  })

  it('of an update are kept by a later update, and those of both run', async () => {
    const model = await table('after_update')
    await api('POST', `/api/e/${model}`, { title: 'A' })
    for (const title of ['B', 'C']) {
      service.cloud.faults.inject({ functionName: records(), operation: 'PutItem', action: 'crash-after' })
      expect((await api('PATCH', `/api/e/${model}/1`, { title })).status).toBe(500)
    }
    await sweep(model, 1)
    const runs = await seen()
    expect(runs).toMatchObject([
      { what: 'after_update C', was: 'A' },
      { what: 'after_update C', was: 'B' },
    ])
    const { id: userId } = (await api('GET', '/api/user')).body.data
    const at = expect.stringMatching(/Z$/)
    expect(runs.map(({ record }: any) => JSON.parse(record))).toEqual(
      [2, 3].map((version) => ({
        id: 1,
        version,
        created_by: userId,
        updated_by: userId,
        created_at: at,
        updated_at: at,
      })),
    )
  })

  it('of an update run after a delete that follows it', async () => {
    const model = await table('after_update', 'after_delete')
    await api('POST', `/api/e/${model}`, { title: 'A' })
    service.cloud.faults.inject({ functionName: records(), operation: 'PutItem', action: 'crash-after' })
    await api('PATCH', `/api/e/${model}/1`, { title: 'B' })
    expect((await api('DELETE', `/api/e/${model}/1`)).status).toBe(204)
    expect(await seen()).toMatchObject([{ what: 'after_delete B' }])
    expect(await sweep(model, 1, 'tombstone')).toMatchObject({ hooks: 1 })
    expect((await seen())[1]).toMatchObject({ what: 'after_update B', was: 'A' })
  })

  it.each(['mark', 'removal'] as const)('of a delete run after a crash behind its %s', async (moment) => {
    const model = await table('after_delete')
    await api('POST', `/api/e/${model}`, { title: 'A' })
    service.cloud.faults.inject({
      functionName: records(),
      operation: 'TransactWriteItems',
      skip: moment === 'mark' ? 0 : 1,
      action: 'crash-after',
    })
    expect((await api('DELETE', `/api/e/${model}/1`)).status).toBe(500)
    expect(await sweep(model, 1, moment === 'mark' ? 'record' : 'tombstone')).toMatchObject(
      moment === 'mark' ? { removals: 1 } : { hooks: 1 },
    )
    const [run] = await seen()
    expect(run).toMatchObject({ what: 'after_delete A', was: 'A' })
    expect(JSON.parse(run.record)).toMatchObject({ id: 1, version: 1, updated_at: expect.any(String) })
    const tombstone = await service.store.get({ id: 1 }, { pk: `T#1#H#${model}#1`, sk: 'TOMBSTONE' })
    expect(tombstone?.version).toBe(2)
    expect(Object.keys(tombstone ?? {})).not.toEqual(expect.arrayContaining(['after_due']))
  })

  it.each(['due', 'taken by the sweeper'])(
    'run once for two messages at the same time when they are %s',
    async (state) => {
      const model = await table('after_create')
      service.cloud.faults.inject({ functionName: records(), operation: 'PutItem', action: 'crash-after' })
      await api('POST', `/api/e/${model}`, { title: 'A' })
      const event = { v: 1, tenant_id: 1, model, id: 1, version: 0, action: 'update', actor: 0, source: 'sweeper' }
      const [expression, values]: [string, Record<string, string | number>] =
        state === 'due'
          ? ['SET s20 = :due', { ':due': `2000-01-01#1#${model}#1` }]
          : ['SET s20 = :due, due_taken = :n', { ':due': `2999-01-01#1#${model}#1`, ':n': 3 }]
      const change = { expression, values }
      await service.store.write({ id: 1 }, { update: recordKey({ id: 1 }, model, 1), change })
      const message = (messageId: string) => ({ messageId, body: JSON.stringify(event) })
      await service.cloud.invoke('record-cleanup', { Records: [message('a'), message('b')] })
      await service.cloud.invoke('record-cleanup', { Records: [message('c')] })
      expect(await seen()).toHaveLength(1)
      const item = await service.store.get({ id: 1 }, recordKey({ id: 1 }, model, 1))
      expect(Object.keys(item ?? {})).not.toEqual(expect.arrayContaining(['after_due']))
      expect(item).not.toHaveProperty('due_taken')
    },
  )

  it('are not run again while their lease lasts, when a message arrives twice', async () => {
    const model = await table('after_create')
    service.cloud.faults.inject({ functionName: records(), operation: 'PutItem', action: 'crash-after' })
    await api('POST', `/api/e/${model}`, { title: 'A' })
    const cleanup = service.cloud.functions.find((name) => name.startsWith('RecordCleanup')) as string
    // The function ends after the hook has run, and before its entry is removed.
    service.cloud.faults.inject({ functionName: cleanup, operation: 'PutItem', action: 'crash-after' })
    await sweep(model, 1)
    const runs = (await seen()).length
    const event = { v: 1, tenant_id: 1, model, id: 1, version: 0, action: 'update', actor: 0, source: 'sweeper' }
    await service.cloud.invoke('record-cleanup', { Records: [{ messageId: 'a', body: JSON.stringify(event) }] })
    expect([runs, (await seen()).length]).toEqual([1, 1])
    expect(await service.cloud.invoke('due-sweeper')).toMatchObject({ hooks: 0 })
    await sweep(model, 1)
    const runIds = (await seen()).map(({ run_id }: any) => run_id)
    expect([runIds.length, new Set(runIds).size]).toEqual([2, 1])
  })
})

describe('completed after hooks', () => {
  it('leave no pending hooks, create no version, and are not run again by concurrent updates of the record', async () => {
    const model = await table('after_update')
    await api('POST', `/api/e/${model}`, { title: 'A' })
    await Promise.all(
      Array.from({ length: 5 }, (_, index) => api('PATCH', `/api/e/${model}/1`, { title: `B${index}` })),
    )
    expect(await seen()).toHaveLength(5)
    expect((await api('GET', `/api/e/${model}/1`)).body.data.version).toBe(6)
    expect((await api('GET', `/api/sys/history/${model}/1`)).body.data).toHaveLength(6)
    const item = await service.store.get({ id: 1 }, recordKey({ id: 1 }, model, 1))
    expect(item).not.toHaveProperty('after_due')
    expect(item).not.toHaveProperty('s20')
  })
})
