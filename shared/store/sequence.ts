import type { TenantRef } from '../kernel/tenancy.ts'
import { tenantSequenceKey } from './keys/auth.ts'
import { sequenceKey } from './keys/records.ts'
import type { Item } from './marshal.ts'
import { deploymentWide, type Store, type Write } from './table.ts'

/**
 * Takes `count` ids in one call and counts them as living in the same one, so that a list's total costs no write of its own.
 * Answers the first id; the rest follow without gaps. Ids rise with creation and are never given twice.
 */
export async function takeIds(store: Store, tenant: TenantRef, model: string, count = 1): Promise<number> {
  const after = await store.update(tenant, {
    update: sequenceKey(tenant, model),
    change: {
      expression: 'ADD #next :n, #live :n',
      names: { '#next': 'next', '#live': 'live' },
      values: { ':n': count },
    },
  })
  return readSequenceRow(after).last - count + 1
}

/**
 * Takes `count` ids in one call without counting anything: the write that stores the records counts them. Answers the
 * first; what is not used is never given again.
 */
export async function reserveIds(store: Store, tenant: TenantRef, model: string, count: number): Promise<number> {
  const after = await store.update(tenant, {
    update: sequenceKey(tenant, model),
    change: { expression: 'ADD #next :n', names: { '#next': 'next' }, values: { ':n': count } },
  })
  return readSequenceRow(after).last - count + 1
}

/** Moves the number of living rows of what is no table of records; of those see `moveCountOf`. */
export const moveLiveCount = (tenant: TenantRef, model: string, by: number): Extract<Write, { update: unknown }> => ({
  update: sequenceKey(tenant, model),
  change: { expression: 'ADD #live :n', names: { '#live': 'live' }, values: { ':n': by } },
})

/** The last id given and how many records live. */
export interface Sequence {
  readonly last: number
  readonly live: number
}

/** Reads a sequence row as it is stored; a table that never held a record has none. */
export const readSequenceRow = (item: Item | null | undefined): Sequence => ({
  last: Number(item?.next ?? 0),
  live: Number(item?.live ?? 0),
})

/** The same for an answer: a count that is off never shows as less than none. */
export function sequenceOf(item: Item | null | undefined): Sequence {
  const { last, live } = readSequenceRow(item)
  return { last, live: Math.max(0, live) }
}

export const readSequence = async (store: Store, tenant: TenantRef, model: string): Promise<Sequence> =>
  sequenceOf(await store.get(tenant, sequenceKey(tenant, model)))

export async function takeTenantId(store: Store): Promise<number> {
  const after = await store.update(deploymentWide, {
    update: tenantSequenceKey,
    change: { expression: 'ADD #next :one', names: { '#next': 'next' }, values: { ':one': 1 } },
  })
  return readSequenceRow(after).last
}
