import { sequenceKey } from '../../../../shared/platform/store/keys/records.ts'
/** A table of plans with one record, and what runs processes about it. */
import { recordItem } from '../../../../shared/records/records/record-item.ts'
import { frozenClock } from '../../builders/frozen-clock.ts'
import { tableOf } from '../../builders/lists/query-records.ts'
import { processRunner } from '../process-runner.ts'
import type { SingleTable } from '../stores/single-table.ts'

const at = '2026-11-20T08:00:00.000Z'
const plans = tableOf(101, 'plans', [
  { name: 'status', type: 'text' },
  { name: 'amount', type: 'integer' },
  { name: 'done', type: 'boolean' },
])

export type Plan = Awaited<ReturnType<typeof openPlan>>

/** Stores the plan `id` with the status `new`, made by user 3. Answers what runs processes about it, with a clock that stands still. */
export async function openPlan(single: SingleTable, id: number) {
  const clock = frozenClock(at)
  const runner = processRunner(single, clock, [plans])
  const { tenant } = runner
  const head = { id, tenant_id: 1, created_by: 3, updated_by: 3, created_at: at, updated_at: at, version: 1 }
  await single.store.putMany(tenant, [
    recordItem(plans, { ...head, data: { status: 'new' } }, { tenant, userId: 3 }, `made ${id}`),
    { ...sequenceKey(tenant, 'plans'), next: 1000, live: 1 },
  ])

  const make = (elements: string, hops?: number, variables?: Record<string, unknown>) =>
    runner.make(elements, 'plans', id, hops, variables)
  const stored = () => runner.record('plans', id)
  return {
    ...runner,
    clock,
    make,
    /** An instance that has run until it waits. */
    async run(elements: string): Promise<number> {
      const instance = await make(elements)
      await runner.advance(instance)
      return instance
    },
    stored,
    /** Its version and its values. */
    async data() {
      const item = await stored()
      return { version: item?.version, ...JSON.parse(String(item?.data)) }
    },
    /** The status of each task, by the id of its element. */
    statuses: async (instance: number) =>
      Object.fromEntries((await runner.tasks(instance)).map(({ elementId, status }) => [elementId, status])),
    pendingTask: async (instance: number) => (await runner.tasks(instance)).find(({ status }) => status === 'pending')!,
  }
}
