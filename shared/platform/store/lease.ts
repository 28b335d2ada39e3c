import type { Condition } from './store.ts'
import type { Attribute, Item } from './values/marshal.ts'
import { below, equals, lacks, or } from './writes/conditions.ts'
import { ConditionFailed } from './writes/refusals.ts'

/**
 * The right to work alone on what a row stands for, until it expires. Whoever works on writes on condition that the lease
 * is still theirs: one that is late and was taken over changes nothing.
 */
export interface Lease {
  /** Who has it: made anew for each try, so that it fences off a former one. */
  readonly holder: string
  /** Unix milliseconds. */
  readonly untilMs: number
}

/** Whether a lease may be taken: nobody has it, or who had it is late. `untilMs` alone where the row names no holder. */
export const isFree = (lease: Pick<Lease, 'untilMs'> | undefined, nowMs: number): boolean =>
  lease === undefined || lease.untilMs <= nowMs

/** The lease that a row has. */
export const readLease = (row: Item | undefined): Lease | undefined =>
  row?.lease_holder === undefined
    ? undefined
    : { holder: String(row.lease_holder), untilMs: Number(row.lease_until ?? 0) }

/** The attributes of a row with this lease, or with none. */
export const leaseAttributes = (
  lease: Lease | undefined,
): { readonly [Name in 'lease_holder' | 'lease_until']: Attribute | undefined } => ({
  lease_holder: lease?.holder,
  lease_until: lease?.untilMs,
})

/** Nobody else has taken the lease since this holder did. */
export const isHeldBy = (holder: string): Condition => equals('lease_holder', holder)

/** The lease is as it was read. */
export const isLeasedAs = (lease: Lease | undefined): Condition =>
  lease ? isHeldBy(lease.holder) : lacks('lease_holder')

/** Nobody else has a lease that is still good. */
export const isFreeFor = (holder: string, nowMs: number): Condition =>
  or(lacks('lease_until'), isHeldBy(holder), below('lease_until', nowMs))

/** Whether a write took the lease for this holder: also when it succeeded before, and only its answer was lost. */
export async function tookLease(write: Promise<unknown>, holder: string): Promise<boolean> {
  try {
    await write
    return true
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    return error.existing?.lease_holder === holder
  }
}
