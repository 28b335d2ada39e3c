import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordKey } from '../../../shared/platform/store/keys/records.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { runs } from '../../make/depth.ts'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
const tenant = { id: 1 }
const api = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  service.api(method, path, { token: service.admin.token, body, headers })
const pathOf = (id: number): string => `/api/e/notes/${id}`
/** Timestamps have a resolution of one millisecond. */
const tick = () => new Promise((resolve) => setTimeout(resolve, 3))

beforeAll(async () => {
  service = await startService({ log: () => {} })
  await makeTable(service, 'notes', [
    { name: 'a', type: 'text' },
    { name: 'b', type: 'text' },
    { name: 'n', type: 'integer', indexed: true },
    { name: 'code', type: 'text', unique: true },
  ])
})
afterAll(() => service?.stop())

const text = fc.constantFrom(null, 'x', 'y', 'z')
const fields = fc.record(
  { a: text, b: text, n: fc.constantFrom(null, 1, 2), code: fc.constantFrom(null, 'first', 'second') },
  { requiredKeys: [] },
)
const action = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('change' as const), body: fields }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const) }) },
  // `back`: how many steps of the test.
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('restore' as const), back: fc.nat({ max: 4 }) }) },
)
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never
const fault = fc.record({
  // A record without a unique value is stored by a put; otherwise, deleted or restored, by a transaction; history by
  // batches.
  operation: fc.constantFrom('PutItem', 'TransactWriteItems', 'BatchWriteItem'),
  action: fc.constantFrom(
    'crash-before' as const,
    'crash-after' as const,
    'lose-answer' as const,
    'throttle' as const,
    'repeat' as const,
  ),
  skip: fc.nat({ max: 1 }),
})
/** Concurrent requests, with a fault at one of their writes; a request that gets no answer is repeated. */
const step = fc.record({ actions: fc.array(action, { minLength: 1, maxLength: 3 }), fault: fc.option(fault) })

async function act(id: number, moments: readonly string[], one: Action): Promise<number> {
  const send = async (): Promise<number> => {
    if (one.kind === 'change') return (await api('PATCH', pathOf(id), one.body)).status
    if (one.kind === 'delete') return (await api('DELETE', pathOf(id))).status
    return (await api('POST', `${pathOf(id)}/restore`, { as_of: moments.at(-1 - (one.back % moments.length)) })).status
  }
  const status = await send()
  return status >= 500 ? send() : status
}

/** Runs the sweeper as it runs a minute after a delete was interrupted. */
async function finishDelete(id: number): Promise<void> {
  const key = recordKey(tenant, 'notes', id)
  const item = await service.store.get(tenant, key)
  if (item?.deleted_at === undefined) return
  await service.store.write(tenant, {
    update: key,
    change: { expression: 'SET s20 = :past', values: { ':past': `2000-01-01#1#notes#${id}` } },
  })
  await service.cloud.invoke('due-sweeper')
}

interface Entry {
  readonly id: number
  readonly action: string
  readonly changes: Readonly<Record<string, { readonly old: unknown; readonly new: unknown }>>
}

/** Applies the entries, oldest first, and checks that each starts with the values that the one before left. */
function replay(entries: readonly Entry[]): Record<string, unknown> {
  const state: Record<string, unknown> = {}
  for (const { id, changes } of entries) {
    for (const [name, change] of Object.entries(changes)) {
      expect(change.old, `version ${id} of ${name}`).toEqual(state[name] ?? null)
      state[name] = change.new
    }
  }
  return withoutNulls(state)
}
const withoutNulls = (data: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null))

it(
  'the history of a record replays to its data after any updates, deletes and restores, even concurrent, repeated or interrupted ones',
  { timeout: 240_000 },
  async () => {
    let [deleted, restored, struck] = [0, 0, 0]
    const property = fc.asyncProperty(
      fields,
      fc.array(step, { minLength: 3, maxLength: 8 }),
      fc.uuid(),
      async (first, steps, key) => {
        const create = () => api('POST', '/api/e/notes', { ...first, code: null }, { 'idempotency-key': key })
        const lost = service.cloud.faults.inject({ operation: 'TransactWriteItems', action: 'lose-answer' })
        await create()
        service.cloud.faults.clear()
        const { id } = (await create()).body.data as { id: number }
        const moments: string[] = []
        for (const { actions, fault: wrong } of steps) {
          await tick()
          moments.push(new Date(service.cloud.now()).toISOString())
          await tick()
          const injected = wrong && service.cloud.faults.inject({ service: 'dynamodb', ...wrong })
          const answers = await Promise.all(actions.map((one) => act(id, moments, one)))
          service.cloud.faults.clear()
          struck += (injected?.struck ?? 0) + lost.struck
          expect(answers.filter((status) => ![200, 204, 404, 409, 422, 500].includes(status))).toEqual([])
          await finishDelete(id)
          await service.cloud.idle()

          const { body } = await api('GET', `/api/sys/history/notes/${id}?per_page=1000`)
          expect(body.meta.pending).toBeUndefined()
          const entries = (body.data as Entry[]).toReversed()
          expect(entries.map((entry) => entry.id)).toEqual(entries.map((_, index) => index + 1))
          const now = await api('GET', pathOf(id))
          const isGone = entries.at(-1)?.action === 'delete'
          expect([now.status, now.body.data?.version]).toEqual(isGone ? [404, undefined] : [200, entries.length])
          expect(replay(entries)).toEqual(withoutNulls(now.body.data?.data ?? {}))
          deleted += entries.filter((entry) => entry.action === 'delete').length
          restored += isGone ? 0 : entries.filter((entry) => entry.action === 'delete').length
        }
        await api('DELETE', pathOf(id))
      },
    )
    await fc.assert(property, { numRuns: runs(60, 18), seed: 20261120 })
    // The property proves little unless all of these happened.
    expect(Math.min(deleted, restored, struck)).toBeGreaterThan(5)
  },
)
