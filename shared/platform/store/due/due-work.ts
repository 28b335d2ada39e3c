import { dueAtOf } from '../keys/key.ts'
import { dueSlot, slotSort } from '../slots.ts'
import type { Item } from '../values/marshal.ts'
import type { DueKind } from './due-kinds.ts'
import { type TakeDependencies, takeDue } from './take-due.ts'

/** Work that rows with a due time stand for, and that a message wakes. */
export interface DueWork<Wake extends object> {
  /** Under which its age is measured. */
  readonly kind: DueKind
  readonly partitions: readonly string[]
  /** Its message, by the sort key with the time at which it is due; undefined for any other key. */
  readonly wakeOf: (sort: string, row: Item) => Wake | undefined
  /** Whose turns it takes in a fair queue. */
  readonly fairGroupOf?: (sort: string) => string
}

/** The message of a row that was taken, and the delay until it is due. */
export interface DueWake<Wake extends object> {
  readonly wake: Wake
  readonly delaySeconds: number
  readonly fairGroup?: string
}

/**
 * Takes the rows of all tenants that are due within `withinMs`, oldest first, at most `limit` a shard: what crashed, or
 * whose message was lost. The rest stays due. The same message is answered once for every second at which it is due.
 */
export async function takeDueWork<Wake extends object>(
  { partitions, wakeOf, fairGroupOf }: DueWork<Wake>,
  services: TakeDependencies,
  limit: number,
  withinMs = 0,
): Promise<DueWake<Wake>[]> {
  const rows = await takeDue(services, partitions, limit, withinMs)
  const now = services.clock.now()
  const due = new Map<string, DueWake<Wake>>()
  for (const row of rows) {
    const sort = slotSort(row, dueSlot)
    const wake = wakeOf(sort, row)
    if (wake === undefined) continue
    const delaySeconds = Math.max(0, Math.ceil((Date.parse(dueAtOf(sort)) - now) / 1000))
    due.set(`${delaySeconds} ${JSON.stringify(wake)}`, {
      wake,
      delaySeconds,
      ...(fairGroupOf && { fairGroup: fairGroupOf(sort) }),
    })
  }
  return [...due.values()]
}
