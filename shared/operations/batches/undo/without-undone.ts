import { isDeepStrictEqual } from 'node:util'
import type { FieldChange } from '../../../platform/trail/trail-event.ts'
import type { Origin } from './batch-chain.ts'

/** A version of a record with the batch that wrote it, if a batch did. */
interface WrittenVersion {
  readonly origin: Origin | undefined
  readonly changes: Readonly<Record<string, FieldChange>>
}

/** A write of a field that still counts. */
interface FieldWrite {
  readonly at: number
  readonly origin: Origin | undefined
  readonly old: unknown
}

/**
 * Leaves out the changes of fields that a batch made and its undo took back before anybody else changed the field: for
 * whoever undoes an earlier batch it is as if neither had happened. `newestFirst`: versions one after the other.
 */
export function withoutUndone<T extends WrittenVersion>(newestFirst: readonly T[]): T[] {
  const fields = new Map<string, readonly FieldWrite[]>()
  for (let at = newestFirst.length - 1; at >= 0; at -= 1) {
    const { origin, changes } = newestFirst[at] as T
    for (const [name, change] of Object.entries(changes)) {
      const writes = fields.get(name) ?? []
      const kept = origin && beforeOpposite(writes, origin, change.new)
      fields.set(name, kept ?? [...writes, { at, origin, old: change.old }])
    }
  }
  const counting = new Map<number, Set<string>>()
  for (const [name, writes] of fields)
    for (const { at } of writes) counting.set(at, (counting.get(at) ?? new Set()).add(name))
  return newestFirst.map((version, at) => ({
    ...version,
    changes: Object.fromEntries(Object.entries(version.changes).filter(([name]) => counting.get(at)?.has(name))),
  }))
}

/** The writes before the last ones, when this one takes them back: they are of the same batch, and began at this value. */
function beforeOpposite(
  writes: readonly FieldWrite[],
  { root, side }: Origin,
  value: unknown,
): readonly FieldWrite[] | undefined {
  for (let last = writes.length - 1; last >= 0; last -= 1) {
    const { origin, old } = writes[last] as FieldWrite
    if (origin?.root !== root || origin.side === side) return undefined
    if (isDeepStrictEqual(old ?? null, value ?? null)) return writes.slice(0, last)
  }
  return undefined
}
