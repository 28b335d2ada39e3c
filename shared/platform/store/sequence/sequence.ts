import type { TenantRef } from '../../../kernel/tenancy.ts'
import { tenantSequenceKey } from '../keys/auth.ts'
import { sequenceKey } from '../keys/records.ts'
import { type Condition, deploymentWide, type Store, type Write } from '../store.ts'
import type { Item } from '../values/marshal.ts'
import { and, below, equals, lacks, or } from '../writes/conditions.ts'

/**
 * Allocates `count` ids and counts them as living in one call, so that a list's total costs no extra write. Answers the
 * first id; the others follow without gaps. Ids rise with creation and are never allocated twice.
 */
export async function allocateIds(store: Store, tenant: TenantRef, model: string, count = 1): Promise<number> {
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

/** What a record is written by. */
export interface WrittenTable {
  readonly id: number
  readonly name: string
  readonly version: number
}

/** Notes which table the next records are written by. It goes into the transaction that changes the table. */
export const noteTable = (tenant: TenantRef, { id, name, version }: WrittenTable): Write => ({
  update: sequenceKey(tenant, name),
  change: {
    expression: 'SET table_id = :id, table_version = :version',
    values: { ':id': id, ':version': version },
  },
})

/** The table is still the one that a record was checked by: it was neither removed nor changed since. */
export const isStill = ({ id, version }: WrittenTable): Condition =>
  and(or(lacks('table_id'), equals('table_id', id)), or(lacks('table_version'), below('table_version', version + 1)))

/** The same of a sequence row. */
export const wasStill = (row: Item | undefined, { id, version }: WrittenTable): boolean =>
  (row?.table_id === undefined || row.table_id === id) && !(Number(row?.table_version) > version)

/** Refuses all further records. It goes into the transaction that removes the table, and fails while records live. */
export const closeTable = (tenant: TenantRef, name: string): Write => ({
  update: sequenceKey(tenant, name),
  change: { expression: 'SET table_id = :none', values: { ':none': 0 } },
  if: or(lacks('live'), below('live', 1)),
})

/**
 * Allocates `count` ids without counting them as living: the write that stores the records does that. Answers the first
 * id; unused ids are never allocated again.
 */
export async function reserveIds(store: Store, tenant: TenantRef, model: string, count: number): Promise<number> {
  const after = await store.update(tenant, {
    update: sequenceKey(tenant, model),
    change: { expression: 'ADD #next :n', names: { '#next': 'next' }, values: { ':n': count } },
  })
  return readSequenceRow(after).last - count + 1
}

/** Changes the live count of a sequence that is not a table's; for records see `moveRecordCount` in `recount.ts`. */
export const moveLiveCount = (tenant: TenantRef, model: string, by: number): Extract<Write, { update: unknown }> => ({
  update: sequenceKey(tenant, model),
  change: { expression: 'ADD #live :n', names: { '#live': 'live' }, values: { ':n': by } },
})

/** The last allocated id and the number of living records. */
export interface Sequence {
  readonly last: number
  readonly live: number
}

/** Reads a sequence row as it is stored. A table that never had a record has none: zeros. */
export const readSequenceRow = (item: Item | null | undefined): Sequence => ({
  last: Number(item?.next ?? 0),
  live: Number(item?.live ?? 0),
})

/** The same for an answer: a wrong count never shows as negative. */
export function sequenceOf(item: Item | null | undefined): Sequence {
  const { last, live } = readSequenceRow(item)
  return { last, live: Math.max(0, live) }
}

export const readSequence = async (store: Pick<Store, 'get'>, tenant: TenantRef, model: string): Promise<Sequence> =>
  sequenceOf(await store.get(tenant, sequenceKey(tenant, model)))

export async function allocateTenantId(store: Store): Promise<number> {
  const after = await store.update(deploymentWide, {
    update: tenantSequenceKey,
    change: { expression: 'ADD #next :one', names: { '#next': 'next' }, values: { ':one': 1 } },
  })
  return readSequenceRow(after).last
}
