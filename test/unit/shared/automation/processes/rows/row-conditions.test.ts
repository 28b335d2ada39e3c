import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isUnchanged } from '../../../../../../shared/automation/processes/rows/instance-row.ts'
import { isStillDue, type StartTimer } from '../../../../../../shared/automation/processes/rows/start-rows.ts'
import { isUnchangedPending } from '../../../../../../shared/automation/processes/rows/task-row.ts'
import type { Condition } from '../../../../../../shared/platform/store/store.ts'
import type { Item } from '../../../../../../shared/platform/store/values/marshal.ts'
import { wasApplied } from '../../../../../../shared/platform/store/writes/refusals.ts'
import { tenant } from '../../../../../make/builders/lists/query-records.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

let single: SingleTable
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())

const key = { pk: 'T#7#ROW', sk: '1' }
/** Whether a row with these attributes may be written on the condition. */
async function allows(row: Item, condition: Condition): Promise<boolean> {
  await single.store.write(tenant, { put: { ...row, ...key } })
  return wasApplied(single.store.write(tenant, { put: { ...key }, if: condition }))
}

describe('a row of a process is written only as it was read', () => {
  it.each<[string, Item, boolean]>([
    ['is pending and unchanged', { status: 'pending', version: 2 }, true],
    ['has ended', { status: 'completed', version: 2 }, false],
    ['was changed', { status: 'pending', version: 3 }, false],
    ['was made before tasks had versions', { status: 'pending' }, false],
  ])('a task that %s', async (_, row, may) => {
    expect(await allows(row, isUnchangedPending({ version: 2 }))).toBe(may)
  })

  it('a task of before there were versions, as the first of them', async () => {
    for (const version of [{}, { version: 1 }])
      expect(await allows({ status: 'pending', ...version }, isUnchangedPending({ version: 1 }))).toBe(true)
  })

  const due = '2026-11-20T08:00:00.000Z'
  it.each<[string, Item, boolean]>([
    ['waits', { due_at: due, template_version: 4 }, true],
    ['has fired', { due_at: '2026-11-21T08:00:00.000Z', template_version: 4 }, false],
    ['belongs to another version', { due_at: due, template_version: 5 }, false],
  ])('a start timer that %s', async (_, row, may) => {
    expect(await allows(row, isStillDue({ version: 4, timing: { due } } as StartTimer))).toBe(may)
  })

  const nowMs = 1_000_000
  it.each<[string, Item, boolean]>([
    ['nobody holds', { rev: 4 }, true],
    ['the same worker holds', { rev: 4, lease_holder: 'a', lease_until: nowMs + 1 }, true],
    ['another held for too long', { rev: 4, lease_holder: 'b', lease_until: nowMs - 1 }, true],
    ['another holds', { rev: 4, lease_holder: 'b', lease_until: nowMs + 1 }, false],
    ['has gone on', { rev: 5 }, false],
    ['has gone on with the same worker', { rev: 5, lease_holder: 'a', lease_until: nowMs + 1 }, false],
  ])('an instance that %s', async (_, row, may) => {
    expect(await allows(row, isUnchanged(4, 'a', nowMs))).toBe(may)
  })
})
