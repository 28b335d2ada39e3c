import { type LruMap, lruMap } from '../../../kernel/collections/lru-map.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../../kernel/time/clock.ts'
import { countDueKey, sequenceKey } from '../keys/records.ts'
import { dueSlot, dueTaken, moveInSlot, removeSlot, setSlotOnce } from '../slots.ts'
import type { Store, Write } from '../store.ts'
import type { Item } from '../values/marshal.ts'
import { and, equals, lacks } from '../writes/conditions.ts'
import { ConditionFailed } from '../writes/refusals.ts'
import { isStill, readSequenceRow, type WrittenTable } from './sequence.ts'

/*
 * A create takes its id and is counted in one write, and stores its record in another. From the first one on, the
 * sequence row has a mark of the create, `open_<milliseconds, base 36><random>` with the id, and is in the due slot. A
 * mark whose record was never stored is a create that was cut off (docs/decisions/0056). No write is made to remove a
 * mark: the next create of the same function instance does it, or the sweep.
 */

/** The longest time from the id of a create to its record, and when a sweep looks for the record. */
export const maxCreateMs = 30_000

/** A create that has its id, and its mark in the sequence row. */
export interface OpenCreate {
  readonly id: number
  readonly mark: string
}

type Update = Extract<Write, { update: unknown }>

const prefix = 'open_'
const timeLength = 8
const tablesKept = 500
const marksKept = 20

/** The marks of ended creates by store and table, which the next create of this instance removes. */
const ended = new WeakMap<object, LruMap<string, string[]>>()

/**
 * Allocates the id of a record and counts it as living, on condition that the table is still the one that the record was
 * checked by: that it was neither removed nor changed since. Condition and mark are part of the same write, so they cost
 * nothing. Throws ConditionFailed.
 */
export async function beginCreate(
  store: Store,
  clock: Pick<Clock, 'now' | 'uuid'>,
  tenant: TenantRef,
  table: WrittenTable,
): Promise<OpenCreate> {
  const now = clock.now()
  const key = sequenceKey(tenant, table.name)
  const mark = `${prefix}${now.toString(36).padStart(timeLength, '0')}${clock.uuid().slice(0, 4)}`
  const old = takeEnded(store, key.pk)
  const due = countDueKey(isoTime(now + maxCreateMs), tenant, table.name)
  const slot = setSlotOnce(dueSlot, due.pk, due.sk)
  try {
    const after = await store.update(tenant, {
      update: key,
      change: {
        expression: [
          `SET #${mark} = if_not_exists(#next, :zero) + :n, ${slot.expression}`,
          'ADD #next :n, #live :n',
          ...removal(old),
        ].join(' '),
        names: { '#next': 'next', '#live': 'live', ...namesOf([mark, ...old]) },
        values: { ':n': 1, ':zero': 0, ...slot.values },
      },
      if: and(lacks(mark), isStill(table)),
    })
    return { id: readSequenceRow(after).last, mark }
  } catch (error) {
    // The answer of an earlier attempt was lost: its mark says which id it took.
    const id = error instanceof ConditionFailed ? error.existing?.[mark] : undefined
    if (id === undefined) throw error
    return { id: Number(id), mark }
  }
}

/** Notes that the record of a create is stored. Its mark goes with the next create of this instance. */
export function endCreate(store: Store, tenant: TenantRef, model: string, { mark }: OpenCreate): void {
  const { pk } = sequenceKey(tenant, model)
  const tables = ended.get(store) ?? lruMap<string, string[]>(tablesKept)
  ended.set(store, tables)
  // What is forgotten here, the sweep removes.
  tables.set(pk, [...(tables.get(pk) ?? []), mark].slice(-marksKept))
}

function takeEnded(store: Store, pk: string): readonly string[] {
  const tables = ended.get(store)
  const marks = tables?.get(pk) ?? []
  tables?.delete(pk)
  return marks
}

/**
 * Takes creates whose records were never stored out of the number of living records, and out of a recount in flight,
 * which may have begun with them. Each is taken out once: those whose mark is gone are left alone.
 */
export const discountAbandonedCreates = (
  tenant: TenantRef,
  model: string,
  creates: readonly OpenCreate[],
  existing?: Item,
): Update => {
  const marked = existing ? creates.filter(({ id, mark }) => existing[mark] === id) : creates
  const isCounting = existing?.recount_run !== undefined
  const begunWith = marked.filter(({ id }) => id <= Number(existing?.recount_to)).length
  const marks = marked.map(({ mark }) => mark)
  return {
    update: sequenceKey(tenant, model),
    change: {
      expression: [
        `ADD #live :out${isCounting ? ', recount_moved :moved, recount_moves :one' : ''}`,
        ...removal(marks),
      ].join(' '),
      names: { '#live': 'live', ...namesOf(marks) },
      values: { ':out': -marked.length, ...(isCounting && { ':moved': -begunWith, ':one': 1 }) },
    },
    if: and(
      isCounting ? equals('recount_run', existing?.recount_run ?? '') : lacks('recount_run'),
      ...marked.map(({ id, mark }) => equals(mark, id)),
    ),
    otherwise: (found) => discountAbandonedCreates(tenant, model, creates, found),
  }
}

/** The creates that a sequence row has marks of, and when each took its id. */
export const openCreates = (row: Item | undefined): (OpenCreate & { readonly atMs: number })[] =>
  Object.keys(row ?? {})
    .filter((name) => name.startsWith(prefix))
    .map((mark) => ({
      mark,
      id: Number(row?.[mark]),
      atMs: Number.parseInt(mark.slice(prefix.length, prefix.length + timeLength), 36),
    }))

/**
 * Removes marks, and makes the row due again at `dueAt`. `seen`: the row when it had no other mark; it leaves the due slot
 * instead, unless a create began since.
 */
export function removeMarks(
  tenant: TenantRef,
  model: string,
  marks: readonly string[],
  { dueAt, seen }: { readonly dueAt: string; readonly seen?: Item },
): Update {
  const update = sequenceKey(tenant, model)
  const names = namesOf(marks)
  const removed = Object.keys(names)
  const due = moveInSlot(dueSlot, countDueKey(dueAt, tenant, model).sk)
  const again: Update = {
    update,
    change: {
      expression: `SET ${due.expression} REMOVE ${[...removed, dueTaken].join(', ')}`,
      names,
      values: due.values,
    },
  }
  if (!seen) return again
  return {
    update,
    change: { expression: `REMOVE ${[...removed, removeSlot(dueSlot)].join(', ')}`, names },
    // A create since would be left with a mark that no sweep looks at.
    if: equals('next', seen.next ?? 0),
    otherwise: () => again,
  }
}

const removal = (marks: readonly string[]): string[] =>
  marks.length === 0 ? [] : [`REMOVE ${marks.map((mark) => `#${mark}`).join(', ')}`]
const namesOf = (marks: readonly string[]): Record<string, string> =>
  Object.fromEntries(marks.map((mark) => [`#${mark}`, mark]))
