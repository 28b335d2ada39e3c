import { Fault } from '../../../kernel/failures/faults.ts'
import { unrestricted } from '../../../kernel/principal.ts'
import { log } from '../../../kernel/runtime/log.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Notice } from '../../../messages/bell/bell-row.ts'
import type { JobError } from '../../../platform/jobs/schema.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { isLiving, livingAttributes, readMergedInto, readRecordHead } from '../../../platform/store/rows/record-row.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { lastState } from '../../../records/history/last-state.ts'
import { recordAndTombstoneKeys } from '../../../records/history/state-at.ts'
import { findGone, type GoneRecord, mendReference } from '../../../records/records/delete/look-again.ts'
import type { RecordDependencies } from '../../../records/records/dependencies.ts'
import { readLivingRecord } from '../../../records/records/record-item.ts'
import { returnRecord } from '../../../records/records/write/return-record.ts'
import { referencedTable, typeOfField } from '../../../tables/field-types/read-field.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { repairSource } from './missing-history.ts'

export interface ReferenceRepairDependencies extends RecordDependencies {
  readonly fetchObject: (key: string) => Promise<Uint8Array>
  /** Notifies the administrators in the bell, and others with a text of their own. */
  readonly tell: (
    tenant: Tenant,
    said: Pick<Notice, 'title' | 'text' | 'model' | 'recordId'>,
    alsoTo: readonly Pick<Notice, 'userId' | 'text'>[],
  ) => Promise<void>
}

/** A reference to a record that does not live. */
interface Dangling {
  readonly table: Table
  readonly field: string
  readonly id: number
  readonly onDelete: 'keep' | 'restrict' | 'set_null'
  readonly target: string
  readonly to: number
}

interface Mended {
  readonly references: number
  readonly errors: readonly JobError[]
}

/**
 * Looks for references of changed records to what is gone, which a delete or a merge at the same moment missed: those to a
 * merged record follow it, `set_null` is cleared, and a record that `restrict` should have kept is brought back, of which the
 * administrators and whoever deleted it are notified. References of a table that was changed since the delete stay. Answers
 * how many were mended, and what people have to know.
 */
export async function repairReferences(
  services: ReferenceRepairDependencies,
  tenant: Tenant,
  table: Table | undefined,
  records: readonly Item[],
): Promise<Mended> {
  const errors: JobError[] = []
  let references = 0
  const known = new Map<string, GoneRecord | undefined>()
  for (const dangling of table ? await findDangling(services, tenant, table, records) : []) {
    const { table: own, field, id, target, to, onDelete } = dangling
    const which = { tenant_id: tenant.id, model: own.name, id, field, to: `${target} ${to}` }
    try {
      const name = `${target}#${to}`
      if (!known.has(name)) known.set(name, await goneOf(services, tenant, target, to))
      const gone = known.get(name)
      if (!gone || mayHaveBeenKept(own, gone)) continue
      if (gone.into === undefined && onDelete === 'restrict') {
        errors.push(await bringBack(services, tenant, gone, dangling))
        known.set(name, undefined)
      } else if (!(await mendReference(services, gone, { table: own, field, id }))) continue
      log.warn('repaired a reference to a record that is gone', which)
      references += 1
    } catch (error) {
      log.error('could not repair a reference to a record that is gone', error, which)
      errors.push({ message: `The reference of this record by ${field} could not be checked.`, model: own.name, id })
    }
  }
  return { references, errors }
}

/** Whether the table was changed since the delete: `on_delete` may have been another then, which left the reference alone. */
const mayHaveBeenKept = ({ updatedAt }: Table, { deletedAt }: GoneRecord): boolean =>
  updatedAt !== undefined && deletedAt !== undefined && updatedAt > deletedAt

async function findDangling(
  { store }: ReferenceRepairDependencies,
  tenant: Tenant,
  table: Table,
  records: readonly Item[],
): Promise<readonly Dangling[]> {
  const fields = table.table_fields.flatMap((field) => {
    const target = referencedTable(field)
    const onDelete = typeOfField(field).onDelete?.(field) ?? 'keep'
    return target === undefined ? [] : [{ field: field.name, target, onDelete }]
  })
  if (fields.length === 0) return []
  const references = records.flatMap((item) => {
    const data = readLivingRecord(item, table)?.data
    const { id } = readRecordHead(item)
    return fields.flatMap(({ field, target, onDelete }): Dangling[] => {
      const to = data?.[field]
      return typeof to === 'number' ? [{ table, field, id, onDelete, target, to }] : []
    })
  })
  const targets = new Map(references.map(({ target, to }) => [`${target}#${to}`, recordKey(tenant, target, to)]))
  const items = await store.getMany(tenant, [...targets.values()], livingAttributes)
  const found = new Map([...targets.keys()].map((name, index) => [name, items[index]]))
  return references.filter(({ target, to, onDelete }) => {
    const item = found.get(`${target}#${to}`)
    // A reference with `keep` stays where it is when its record was deleted.
    return !isLiving(item) && (onDelete !== 'keep' || readMergedInto(item) !== undefined)
  })
}

async function goneOf(
  services: ReferenceRepairDependencies,
  tenant: Tenant,
  model: string,
  id: number,
): Promise<GoneRecord | undefined> {
  const table = await services.tables.find(tenant, model)
  return table && findGone(services, tenant, table, id)
}

/** Brings a record back that was deleted although a record refers to it. Answers what people have to know of it. */
async function bringBack(
  services: ReferenceRepairDependencies,
  tenant: Tenant,
  { table, id, actor: { userId } }: GoneRecord,
  { table: own, field, id: by }: Dangling,
): Promise<JobError> {
  const { name: model } = table
  const [, tombstone] = await services.store.getMany(tenant, recordAndTombstoneKeys(tenant, model, id))
  const deleted = `${model} ${id} was deleted`
  let outcome = 'It was brought back.'
  try {
    if (!tombstone) throw new Error(`${model} ${id} has no tombstone`)
    const state = await lastState(services, tenant, table, id, tombstone)
    const actor = { ...unrestricted, tenant, userId: 0, source: repairSource }
    await returnRecord(services, actor, table, { id, state, tombstone }, () => [])
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    outcome = `It could not be brought back: ${error.message}`
  }
  const text = `${deleted} while ${own.name} ${by} began to refer to it by ${field}, which does not allow that. ${outcome}`
  const alone = `${deleted} while another record began to refer to it, which does not allow that. ${outcome}`
  const alsoTo = userId === 0 ? [] : [{ userId, text: alone }]
  await services.tell(tenant, { title: `${deleted} and is still in use`, text, model, recordId: id }, alsoTo)
  return { message: text, model: own.name, id: by }
}
