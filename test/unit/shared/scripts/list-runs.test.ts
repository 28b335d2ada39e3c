import { afterAll, beforeAll, expect, it } from 'vitest'
import { listRuns } from '../../../../shared/scripts/list-runs.ts'
import { runItem } from '../../../../shared/scripts/run-log.ts'
import type { ScriptRunQuery } from '../../../../shared/scripts/schema.ts'
import { openSingleTable, type SingleTable } from '../../../make/services/stores/single-table.ts'

const tenant = { id: 1 }
const startedAt = Date.parse('2026-11-20T08:00:00.000Z')
const clock = { now: () => startedAt + 60_000 }
const subject = {
  kind: 'before_create',
  automationId: 1,
  name: 'loud',
  model: 'notes',
  recordId: null,
  userId: 1,
  depth: 0,
}
const result = (message: string) => ({
  status: 'ok' as const,
  ms: 1,
  calls: 0,
  log: [{ level: 'info' as const, message }],
  startedAt,
  returned: false,
})

let table: SingleTable
beforeAll(async () => {
  table = await openSingleTable()
  const rows = Array.from({ length: 120 }, (_, n) =>
    runItem(tenant, n + 1, { ...subject, runId: `r${n}` }, result('"'.repeat(31_000))),
  )
  await table.store.putMany(tenant, rows)
})
afterAll(() => table.close())

const ask = (query: Partial<ScriptRunQuery>) =>
  listRuns({ store: table.store, clock }, tenant, {
    page: 1,
    per_page: 25,
    cursor: undefined,
    ...query,
  } as ScriptRunQuery)

it('a numbered page of runs with long logs that is too large is refused', async () => {
  await expect(ask({ per_page: 120 })).rejects.toMatchObject({ code: 'page_too_large' })
})

it('a page by cursor ends early, and all pages are all runs', async () => {
  const first = await ask({ per_page: 1 })
  const ids = first.items.map(({ id }) => id)
  for (let cursor = first.nextCursor; cursor !== null;) {
    const page = await ask({ per_page: 1000, cursor })
    expect(JSON.stringify(JSON.stringify(page.items)).length).toBeLessThan(6_291_556)
    ids.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor
  }
  expect(ids).toEqual(Array.from({ length: 120 }, (_, n) => 120 - n))
})
