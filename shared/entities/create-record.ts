import { isoTime } from '../clock.ts'
import { Conflict, Fault, Invalid } from '../faults.ts'
import { mayFail } from '../log.ts'
import { ConditionFailed } from '../store/refusals.ts'
import { moveLiveCount, takeIds } from '../store/sequence.ts'
import type { Table } from '../tables/table.ts'
import { checkNewFields } from './check-fields.ts'
import type { Actor, EntityDependencies } from './deps.ts'
import { recordItem, type RecordData, type StoredRecord } from './record-item.ts'
import { checkReferences } from './references.ts'
import { isNew, saveRecord } from './save-record.ts'
import { guardWrites } from './unique-guards.ts'

/**
 * Creates a record: validate, look up references while the id is taken, save. History, search and processes follow from
 * the change feed. Throws Invalid naming every wrong field; nothing is stored then.
 */
export async function createRecord({ store, clock }: EntityDependencies, actor: Actor, table: Table, body: RecordData): Promise<StoredRecord> {
  const { tenant } = actor
  const data = checkNewFields(table, body)
  const [missing, id] = await Promise.all([checkReferences(store, tenant, table, data, Object.keys(data)), takeIds(store, tenant, table.name)])
  try {
    if (Object.keys(missing).length > 0) throw new Invalid(missing)
    const now = isoTime(clock.now())
    const record: StoredRecord = {
      id,
      tenant_id: tenant.id,
      created_by: actor.userId,
      updated_by: actor.userId,
      created_at: now,
      updated_at: now,
      version: 1,
      data,
    }
    const item = recordItem(table, record, actor, clock.uuid())
    await saveRecord(store, tenant, item, isNew, guardWrites(tenant, table, id, undefined, data))
    return record
  } catch (error) {
    const refused = error instanceof Fault || error instanceof ConditionFailed
    // Only a refusal is certain: after any other failure the record may stand, and the repair counts it.
    if (refused) await mayFail('give back the count of a refused record', () => store.write(tenant, moveLiveCount(tenant, table.name, -1)))
    if (error instanceof ConditionFailed) throw new Conflict('The id of this record was taken. Try again.')
    throw error
  }
}
