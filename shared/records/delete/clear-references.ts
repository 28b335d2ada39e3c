import { Conflict, NotFound } from '../../kernel/faults.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { slotPartition } from '../../store/keys/records.ts'
import { slotName, slotPrefix } from '../../store/slots.ts'
import type { Referrer, Table } from '../../tables/service.ts'
import type { Actor } from '../actor.ts'
import type { RecordDependencies } from '../dependencies.ts'
import type { StoredRecord } from '../record-item.ts'
import { changeRecord } from '../write/change-record.ts'

/** The records that refer to one record through one field, up to the limit of the query. */
export interface ReferringRecords extends Referrer {
  readonly ids: readonly number[]
}

/**
 * Finds what refers to a record through fields with `on_delete: restrict` or `set_null`: up to `limit` ids per field,
 * read from the field's index slot (docs/decisions/0005). Throws Conflict while a field's index is being built.
 */
export async function findReferrers(
  { store, tables }: Pick<RecordDependencies, 'store' | 'tables'>,
  tenant: Tenant,
  target: Pick<Table, 'name'>,
  id: number,
  limit: number,
): Promise<ReferringRecords[]> {
  const referrers = await tables.referrers(tenant, target.name)
  return Promise.all(
    referrers.map(async ({ table, field }) => {
      const slot = table.slots.find((assigned) => assigned.field === field.name)?.slot
      if (slot === undefined)
        throw new Conflict(
          'index_building',
          `The index of ${table.name}.${field.name} is being built: it tells what refers to the record. Try again.`,
        )
      const { items } = await store.query(tenant, {
        pk: slotPartition(tenant, table.name, field.name),
        index: slotName(slot),
        prefix: slotPrefix(id),
        limit,
      })
      // A reference of the record to itself is deleted with it.
      const ids = items.map((item) => Number(item.sk)).filter((one) => table.name !== target.name || one !== id)
      return { table, field, ids }
    }),
  )
}

/**
 * Sets `set_null` references to null. Each is an update of its own, in the name of the actor who deletes. The index may
 * lag, so a reference that no longer points at `target` is left as it is. Answers how many were cleared.
 */
export async function clearReferences(
  deps: RecordDependencies,
  actor: Actor,
  target: Pick<StoredRecord, 'id'>,
  referring: readonly ReferringRecords[],
): Promise<number> {
  let cleared = 0
  for (const { table, field, ids } of referring) {
    if (field.on_delete !== 'set_null') continue
    for (const id of ids) {
      cleared += await clearOne(deps, actor, table, field.name, id, target.id)
    }
  }
  return cleared
}

async function clearOne(
  deps: RecordDependencies,
  actor: Actor,
  table: Table,
  field: string,
  id: number,
  targetId: number,
): Promise<number> {
  try {
    await changeRecord(
      deps,
      { ...actor, source: 'delete' },
      table,
      id,
      { [field]: null },
      { onlyIf: (data) => data[field] === targetId, withoutHooks: true },
    )
    return 1
  } catch (error) {
    if (error instanceof NotFound) return 0
    throw error
  }
}
