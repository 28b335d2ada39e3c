import { isoTime } from '../clock.ts'
import { Invalid, NotFound, PreconditionFailed } from '../faults.ts'
import { retryWithJitter } from '../store/backoff.ts'
import { recordKey } from '../store/keys.ts'
import type { Item } from '../store/marshal.ts'
import { ConditionFailed } from '../store/refusals.ts'
import type { Table } from '../tables/table.ts'
import { changedFields, checkChangedFields } from './check-fields.ts'
import type { Actor, EntityDependencies } from './deps.ts'
import type { VersionMatch } from './if-match.ts'
import { readLivingRecord, recordItem, type RecordData, type StoredRecord } from './record-item.ts'
import { checkReferences } from './references.ts'
import { saveRecord, standsAt } from './save-record.ts'
import { guardWrites } from './unique-guards.ts'

export interface ChangeOptions {
  /** The record as it was read along with the caller; null when it does not exist, undefined when it was not read. */
  readonly preloaded?: Item | null
  readonly ifMatch?: VersionMatch
  /** A record for which this is false is left as it is. */
  readonly onlyIf?: (data: RecordData) => boolean
}

/**
 * Merges the supplied fields into a record and saves it on condition that nobody was faster; otherwise merges into what
 * stands there now, for up to three seconds, then Conflict. So concurrent updates of different fields both survive.
 * An update that changes nothing writes nothing and answers the record as it is.
 */
export async function changeRecord(
  { store, clock }: EntityDependencies,
  actor: Actor,
  table: Table,
  id: number,
  body: RecordData,
  options: ChangeOptions = {},
): Promise<StoredRecord> {
  const { tenant } = actor
  let current = options.preloaded === undefined ? await store.get(tenant, recordKey(tenant, table.name, id)) : options.preloaded
  return retryWithJitter(clock, async (again) => {
    const before = readLivingRecord(current)
    if (!before) throw new NotFound('record', { model: table.name, id })
    if (options.ifMatch && !options.ifMatch(before.version)) throw new PreconditionFailed(before.version)
    if (options.onlyIf && !options.onlyIf(before.data)) return before
    const data = checkChangedFields(table, before.data, body, actor)
    const changed = changedFields(before.data, data)
    if (changed.length === 0) return before
    const missing = await checkReferences(store, tenant, table, data, changed)
    if (Object.keys(missing).length > 0) throw new Invalid(missing)
    const after: StoredRecord = {
      ...before,
      data,
      updated_by: actor.userId,
      updated_at: isoTime(Math.max(clock.now(), Date.parse(before.updated_at))),
      version: before.version + 1,
    }
    const item = recordItem(table, after, actor, clock.uuid())
    try {
      await saveRecord(store, tenant, item, standsAt(before.version), guardWrites(tenant, table, id, before.data, data))
      return after
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error
      current = error.standing ?? null
      return again(error)
    }
  })
}
