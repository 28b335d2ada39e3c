import type { TenantRef } from '../../../kernel/tenancy.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { referenceGuardKey } from '../keys/records.ts'
import type { Write } from '../store.ts'
import type { Item } from '../values/marshal.ts'
import { equals, isNew, lacks, or } from '../writes/conditions.ts'
import { TransactionRefused } from '../writes/refusals.ts'

/*
 * The row in which the delete of a record and references that restrict it meet (docs/decisions/0114): whoever writes a
 * reference notes it before, on condition that the record is not deleted; the delete writes that it is, on condition that
 * no reference was noted since it looked for them.
 */

/** Longer than an index lags, and the write of a reference takes. */
const keptSeconds = 60 * 60

/** A moment, and a random id that no other write of the row has. */
export interface Noted {
  readonly nowMs: number
  readonly writeId: string
}

/** A version of a record that refers to the guarded one, once it is written. */
export interface ReferringVersion {
  readonly model: string
  readonly id: number
  readonly version: number
}

const attributes = ({ nowMs, writeId }: Noted) => ({
  kind: 'reference_guard',
  v: 1,
  noted_at: isoTime(nowMs),
  write_id: writeId,
  expires_at: Math.floor(nowMs / 1000) + keptSeconds,
})

/** Notes that a reference is about to be written; `by` is left out when several are. Refused once the record is deleted. */
export function noteReference(
  tenant: TenantRef,
  model: string,
  id: number,
  noted: Noted,
  by: ReferringVersion | undefined,
): Write {
  const set = Object.entries({ ...attributes(noted), ...(by && { by: `${by.model}#${by.id}#${by.version}` }) })
  return {
    update: referenceGuardKey(tenant, model, id),
    change: {
      expression: `SET earlier_at = if_not_exists(noted_at, :never), ${set.map(([name]) => `#${name} = :${name}`).join(', ')}${by ? '' : ' REMOVE #by'}`,
      names: Object.fromEntries([...set.map(([name]) => [`#${name}`, name]), ['#by', 'by']]),
      values: { ':never': '', ...Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])) },
    },
    if: lacks('deleted'),
  }
}

/** Refuses all later references. It goes with the delete, and is refused when a reference was noted since `seen`. */
export const refuseReferences = (
  tenant: TenantRef,
  model: string,
  id: number,
  noted: Noted,
  seen: Item | undefined,
): Write => ({
  put: { ...referenceGuardKey(tenant, model, id), ...attributes(noted), deleted: true },
  if: seen ? or(isNew, equals('write_id', String(seen.write_id))) : isNew,
})

/** Allows references again. It goes with the return of a record. */
export const allowReferences = (tenant: TenantRef, model: string, id: number): Write => ({
  remove: referenceGuardKey(tenant, model, id),
})

/** The last reference that was noted, and when (Unix milliseconds) that and the one before were. */
export interface NotedReference {
  readonly atMs: number
  readonly earlierAtMs?: number
  readonly by?: ReferringVersion
}

/** Reads the row; undefined when no reference was noted for long. */
export function readNotedReference(item: Item | undefined): NotedReference | undefined {
  if (!item || item.deleted === true) return undefined
  const [model = '', id, version] = typeof item.by === 'string' ? item.by.split('#') : []
  return {
    atMs: Date.parse(String(item.noted_at)),
    ...(item.earlier_at !== '' && { earlierAtMs: Date.parse(String(item.earlier_at)) }),
    ...(model !== '' && { by: { model, id: Number(id), version: Number(version) } }),
  }
}

/** Whether a delete failed because a reference was noted meanwhile. */
export const wasReferredTo = (error: unknown): error is TransactionRefused =>
  error instanceof TransactionRefused &&
  error.reasons.some(({ failed, existing }) => failed && existing?.kind === 'reference_guard')
