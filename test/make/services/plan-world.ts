/** A table of plans with one record, and what runs processes about it. */
import { recordItem } from '../../../shared/records/record-item.ts'
import { sequenceKey } from '../../../shared/store/keys/records.ts'
import { frozenClock } from '../builders/frozen-clock.ts'
import { tableOf } from '../builders/query-records.ts'
import { processRunner } from './process-runner.ts'
import type { SingleTable } from './single-table.ts'

const at = '2026-11-20T08:00:00.000Z'
const plans = tableOf(101, 'plans', [
  { name: 'status', type: 'text' },
  { name: 'amount', type: 'integer' },
])

/** Stores the plan `id` with the status `new`, made by user 3. Answers a clock that stands still, and the runner. */
export async function openPlan(single: SingleTable, id: number) {
  const clock = frozenClock(at)
  const runner = processRunner(single, clock, [plans])
  const head = { id, tenant_id: 1, created_by: 3, updated_by: 3, created_at: at, updated_at: at, version: 1 }
  const { tenant } = runner
  await single.store.putMany(tenant, [
    recordItem(plans, { ...head, data: { status: 'new' } }, { tenant, userId: 3 }, `made ${id}`),
    { ...sequenceKey(tenant, 'plans'), next: 1000, live: 1 },
  ])
  return { clock, runner }
}
