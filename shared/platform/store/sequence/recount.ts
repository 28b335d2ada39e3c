import type { TenantRef } from '../../../kernel/tenancy.ts'
import { sequenceKey } from '../keys/records.ts'
import { readRecordRange } from '../ranges/record-range.ts'
import type { Condition, Store, Write } from '../store.ts'
import type { Item } from '../values/marshal.ts'
import { and, equals, lacks } from '../writes/conditions.ts'
import { ConditionFailed } from '../writes/refusals.ts'
import { openCreates } from './open-creates.ts'
import { isStill, wasStill, type WrittenTable } from './sequence.ts'

/*
 * Counts the living records of a table again while records are created and deleted (docs/decisions/0016). The sequence
 * row stores the recount: `recount` is the number of living records up to the id `recount_upto`, which rises to
 * `recount_to`, the last id allocated when it began. A write that changes the count for such an id changes the recount
 * too. At the end, `recount_from` (the count when it began) plus `recount_moved` is the stored count for those ids; the
 * error is subtracted.
 */

type Update = Extract<Write, { update: unknown }>

const names = { '#live': 'live', '#next': 'next' }
const noneInFlight = lacks('recount_run')

/** Whether a sequence row has an unfinished recount. */
export const isBeingCounted = (item: Item | undefined): boolean => item?.recount_run !== undefined

/** Begins a recount, identified by `run`, and drops the one in flight. */
export const beginRecount = (tenant: TenantRef, model: string, run: string): Update => ({
  update: sequenceKey(tenant, model),
  change: {
    expression:
      'SET recount_run = :run, recount_to = if_not_exists(#next, :zero), recount_from = if_not_exists(#live, :zero), recount = :zero, recount_upto = :zero, recount_moved = :zero, recount_moves = :zero',
    names,
    values: { ':run': run, ':zero': 0 },
  },
})

/** Begins a recount unless one is in flight; answers the run that is in flight afterwards. */
export async function joinRecount(
  store: Pick<Store, 'write'>,
  tenant: TenantRef,
  model: string,
  run: string,
): Promise<string> {
  try {
    await store.write(tenant, { ...beginRecount(tenant, model, run), if: noneInFlight })
    return run
  } catch (error) {
    if (error instanceof ConditionFailed) return String(error.existing?.recount_run)
    throw error
  }
}

/** The run of the recount in flight; undefined when there is none. */
export async function findRecount(
  store: Pick<Store, 'get'>,
  tenant: TenantRef,
  model: string,
): Promise<string | undefined> {
  return (await store.get(tenant, sequenceKey(tenant, model)))?.recount_run as string | undefined
}

/**
 * Changes the number of living records by one for each of `ids`, up or down, and that of a recount in flight as well.
 */
export const moveRecordCount = (
  tenant: TenantRef,
  model: string,
  ids: readonly number[],
  by: 1 | -1,
  existing?: Item,
): Update => {
  const update = sequenceKey(tenant, model)
  const otherwise = (found: Item | undefined): Write => moveRecordCount(tenant, model, ids, by, found)
  if (existing?.recount_run === undefined) {
    return {
      update,
      change: { expression: 'ADD #live :n', names: { '#live': 'live' }, values: { ':n': by * ids.length } },
      if: noneInFlight,
      otherwise,
    }
  }
  const upTo = (last: unknown): number => by * ids.filter((id) => id <= Number(last)).length
  const moved = upTo(existing.recount_to)
  return {
    update,
    change: {
      expression: 'ADD #live :n, recount :counted, recount_moved :moved, recount_moves :one',
      names: { '#live': 'live' },
      values: {
        ':n': by * ids.length,
        ':counted': upTo(existing.recount_upto),
        ':moved': moved,
        ':one': moved === 0 ? 0 : 1,
      },
    },
    if: and(equals('recount_run', existing.recount_run), equals('recount_upto', existing.recount_upto ?? 0)),
    otherwise,
  }
}

/**
 * Counts imported and restored records as living, on condition that the table is still the one that they were checked by.
 * For transactions only: one for another table is refused and names this write, which is its own alternative then.
 */
export function countNewRecords(
  tenant: TenantRef,
  table: WrittenTable,
  ids: readonly number[],
  existing?: Item,
): Update {
  const moved = moveRecordCount(tenant, table.name, ids, 1, existing)
  const count: Update = {
    ...moved,
    if: moved.if ? and(moved.if, isStill(table)) : isStill(table),
    otherwise: (found) => (wasStill(found, table) ? countNewRecords(tenant, table, ids, found) : count),
  }
  return count
}

/** The old and the new number of living records, and the last id allocated when the recount began. */
export interface Recounted {
  readonly was: number
  readonly is: number
  readonly to: number
}

/**
 * Resumes a recount until it ends or time is up. Answers 'in other hands' when another caller ended or replaced it.
 * Call it only when no create is in flight whose id was allocated before the recount began.
 */
export async function resumeRecount(
  store: Pick<Store, 'get' | 'query' | 'update'>,
  tenant: TenantRef,
  model: string,
  run: string,
  timeIsUp: () => boolean,
  idsAtOnce = 1024,
): Promise<Recounted | 'time is up' | 'in other hands'> {
  for (;;) {
    const row = await store.get(tenant, sequenceKey(tenant, model))
    if (row?.recount_run !== run) return 'in other hands'
    const error = Number(row.recount_from) + Number(row.recount_moved) - Number(row.recount)
    const isEnd = Number(row.recount_upto) >= Number(row.recount_to)
    const after = await updateIfAsRead(
      store,
      tenant,
      isEnd ? endRecount(tenant, model, row, error) : await countNext(store, tenant, model, row, idsAtOnce),
    )
    if (isEnd && after) return { was: Number(after.live) + error, is: Number(after.live), to: Number(row.recount_to) }
    if (timeIsUp()) return 'time is up'
  }
}

/** Counts the records of the next ids, on condition that no write changed the recount since the row was read. */
async function countNext(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  model: string,
  row: Item,
  ids: number,
): Promise<Update> {
  const upto = Number(row.recount_upto)
  const reached = Math.min(upto + ids, Number(row.recount_to))
  const living = await readRecordRange(store, tenant, {
    model,
    from: upto + 1,
    to: reached,
    livingOnly: true,
    attributes: ['sk'],
  })
  return {
    update: sequenceKey(tenant, model),
    change: {
      expression: 'SET recount_upto = :reached ADD recount :n',
      values: { ':reached': reached, ':n': living.length },
    },
    if: asRead(row),
  }
}

/** Corrects the count, also for creates that were cut off before the recount: their marks go. */
function endRecount(tenant: TenantRef, model: string, row: Item, error: number): Update {
  const marks = openCreates(row)
    .filter(({ id }) => id <= Number(row.recount_to))
    .map(({ mark }) => mark)
  return {
    update: sequenceKey(tenant, model),
    change: {
      expression:
        'ADD #live :by REMOVE recount_run, recount_to, recount_from, recount, recount_upto, recount_moved, recount_moves' +
        marks.map((mark) => `, #${mark}`).join(''),
      names: { '#live': 'live', ...Object.fromEntries(marks.map((mark) => [`#${mark}`, mark])) },
      values: { ':by': -error },
    },
    if: asRead(row),
  }
}

const asRead = ({ recount_run, recount_upto, recount_moves }: Item): Condition =>
  and(
    equals('recount_run', recount_run ?? ''),
    equals('recount_upto', recount_upto ?? 0),
    equals('recount_moves', recount_moves ?? 0),
  )

/** The row after the update; undefined when it changed since it was read. */
async function updateIfAsRead(
  store: Pick<Store, 'update'>,
  tenant: TenantRef,
  write: Update,
): Promise<Item | undefined> {
  try {
    return await store.update(tenant, write)
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined
    throw error
  }
}
