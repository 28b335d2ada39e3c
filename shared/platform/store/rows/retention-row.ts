import type { TenantRef } from '../../../kernel/tenancy.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import type { Key } from '../keys/key.ts'
import { cleanupDueKey, retentionKey } from '../keys/records.ts'
import { dueSlot, dueTaken, setSlot } from '../slots.ts'
import type { Condition, Write } from '../store.ts'
import type { Item } from '../values/marshal.ts'
import { and, equals, isNew, lacks } from '../writes/conditions.ts'

/*
 * The row of a deleted record that left something: comments and watchers, which stay where they are, and links. It is due when
 * that goes for good. While links return to a restored record it is due soon, so that the cleanup continues
 * (docs/decisions/0110).
 */

/** For so long what hung on a deleted record returns with it. */
const retainedMs = 30 * 24 * 3_600_000

/** When what is retained of a record goes that was deleted then. */
export const retainedUntil = (deletedAt: string): number => Date.parse(deletedAt) + retainedMs

interface Change {
  readonly dueAtMs: number
  /** Random: a later condition recognises the write by it. */
  readonly writeId: string
  readonly hasLinks?: true
}

/** Says that something is retained of a record, or changes when that is due. Refused while all of it is being removed. */
export function retain(
  tenant: TenantRef,
  model: string,
  id: number,
  { dueAtMs, writeId, hasLinks }: Change,
  asSeen?: Condition,
): Extract<Write, { update: Key }> {
  const due = cleanupDueKey(isoTime(dueAtMs), tenant, model, id)
  const slot = setSlot(dueSlot, due.pk, due.sk)
  return {
    update: retentionKey(tenant, model, id),
    change: {
      expression: `SET #kind = :kind, #v = :v, write_id = :write, ${slot.expression}${hasLinks ? ', has_links = :yes' : ''} REMOVE ${dueTaken}`,
      names: { '#kind': 'kind', '#v': 'v' },
      values: {
        ':kind': 'retention',
        ':v': 1,
        ':write': writeId,
        ...slot.values,
        ...(hasLinks && { ':yes': true }),
      },
    },
    if: asSeen ? and(asSeen, isKept) : isKept,
  }
}

const isKept = lacks('ending')

/** The row is as it was read. */
export const isRetention = (item: Item): Condition => equals('write_id', String(item.write_id))

/** The write that goes with the return of the record; `item` is the row as it was read, if there is one. */
export function returnRetained(
  tenant: TenantRef,
  model: string,
  id: number,
  item: Item | undefined,
  change: Change,
): Write {
  const key = retentionKey(tenant, model, id)
  if (!item) return { check: key, if: isNew }
  return hasRetainedLinks(item)
    ? retain(tenant, model, id, change, isRetention(item))
    : { remove: key, if: and(isRetention(item), isKept) }
}

/** From here on nothing of it returns. */
export const endRetention = (tenant: TenantRef, model: string, id: number, item: Item): Write => ({
  update: retentionKey(tenant, model, id),
  change: { expression: 'SET ending = :yes', values: { ':yes': true } },
  if: isRetention(item),
})

export const isEnding = (item: Item): boolean => item.ending === true
export const hasRetainedLinks = (item: Item): boolean => item.has_links === true
