import { NotFound } from '../../../kernel/failures/faults.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Referrer } from '../../../tables/tables/read-tables.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { Actor } from '../actor.ts'
import type { RecordDependencies } from '../dependencies.ts'
import type { StoredRecord } from '../record-item.ts'
import { pointReference } from '../write/point-reference.ts'

/** The records that refer to one record through one field. */
export interface ReferringRecords extends Referrer {
  readonly ids: readonly number[]
}

/** What references are found with. */
export type ReferenceSources = Pick<RecordDependencies, 'store' | 'tables' | 'referencesTo'>

/** For each field with `on_delete: set_null`, up to `limit` records that refer to the record through it. */
export async function findReferences(
  sources: ReferenceSources,
  tenant: Tenant,
  target: Pick<Table, 'name'>,
  id: number,
  limit: number,
): Promise<ReferringRecords[]> {
  const referrers = await referrersWith(sources, tenant, target, 'set_null')
  return Promise.all(
    referrers.map(async (referrer) => {
      const { table, field } = referrer
      const ids = await sources.referencesTo(tenant, table, field.name, id, limit)
      return { ...referrer, ids: ids.filter((one) => !isSame(table, one, target, id)) }
    }),
  )
}

/** The fields that refer to a table with this `on_delete`. */
export const referrersWith = async (
  { tables }: Pick<ReferenceSources, 'tables'>,
  tenant: Tenant,
  target: Pick<Table, 'name'>,
  onDelete: 'restrict' | 'set_null',
): Promise<Referrer[]> =>
  (await tables.referrers(tenant, target.name)).filter((referrer) => referrer.onDelete === onDelete)

/** Whether a record is the deleted one: its reference to itself is deleted with it. */
export const isSame = (table: Table, id: number, target: Pick<Table, 'name'>, targetId: number): boolean =>
  table.name === target.name && id === targetId

/**
 * Sets `set_null` references to null. Each is an update of its own, in the name of the actor who deletes. The index may
 * lag, so a reference that no longer points at `target` is left as it is. Answers how many were cleared.
 */
export async function clearReferences(
  records: RecordDependencies,
  actor: Actor,
  target: Pick<StoredRecord, 'id'>,
  referring: readonly ReferringRecords[],
): Promise<number> {
  let cleared = 0
  for (const { table, field, ids } of referring) {
    for (const id of ids) {
      const pointing = { table, field: field.name, id, from: target.id, to: null }
      try {
        if (await pointReference(records, { ...actor, source: 'delete' }, pointing)) cleared += 1
      } catch (error) {
        if (!(error instanceof NotFound)) throw error
      }
    }
  }
  return cleared
}
