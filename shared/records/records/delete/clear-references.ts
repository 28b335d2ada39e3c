import { NotFound } from '../../../kernel/failures/faults.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { sideEntry } from '../../../platform/store/rows/batch-entry-row.ts'
import { readLivingRecord } from '../../../platform/store/rows/record-row.ts'
import type { Referrer, Table } from '../../../tables/tables/service.ts'
import type { Actor } from '../actor.ts'
import type { RecordDependencies } from '../dependencies.ts'
import type { StoredRecord } from '../record-item.ts'
import { changeRecord } from '../write/change-record.ts'

/** The records that refer to one record through one field. */
export interface ReferringRecords extends Referrer {
  readonly ids: readonly number[]
}

type ReferenceSources = Pick<RecordDependencies, 'store' | 'tables' | 'referencesTo'>

/** Records that the first look for a restricting reference asks for, and reads. */
const firstLook = 10

/**
 * For each field with `on_delete: restrict`, a record that refers to the record through it; none where no record does.
 * The column index names the records, and each is read, because the index may lag (docs/decisions/0005).
 */
export async function findRestricting(
  sources: ReferenceSources,
  tenant: Tenant,
  target: Pick<Table, 'name'>,
  id: number,
): Promise<ReferringRecords[]> {
  const referrers = await referrersWith(sources, tenant, target, 'restrict')
  return Promise.all(
    referrers.map(async (referrer) => ({
      ...referrer,
      ids: await firstReferring(sources, tenant, target, id, referrer),
    })),
  )
}

async function firstReferring(
  sources: ReferenceSources,
  tenant: Tenant,
  target: Pick<Table, 'name'>,
  id: number,
  { table, field }: Referrer,
): Promise<readonly number[]> {
  for (let limit = firstLook; ; limit *= 4) {
    const ids = await sources.referencesTo(tenant, table, field.name, id, limit)
    const others = ids.filter((one) => !isSame(table, one, target, id))
    const items = await sources.store.getMany(
      tenant,
      others.map((one) => recordKey(tenant, table.name, one)),
    )
    const found = others.find((_, index) => readLivingRecord(items[index], table)?.data[field.name] === id)
    if (found !== undefined) return [found]
    if (ids.length < limit) return []
  }
}

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

const referrersWith = async (
  { tables }: ReferenceSources,
  tenant: Tenant,
  target: Pick<Table, 'name'>,
  onDelete: 'restrict' | 'set_null',
): Promise<Referrer[]> =>
  (await tables.referrers(tenant, target.name)).filter((referrer) => referrer.onDelete === onDelete)

/** Whether a record is the deleted one: its reference to itself is deleted with it. */
const isSame = (table: Table, id: number, target: Pick<Table, 'name'>, targetId: number): boolean =>
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
      cleared += await clearOne(records, actor, table, field.name, id, target.id)
    }
  }
  return cleared
}

async function clearOne(
  records: RecordDependencies,
  actor: Actor,
  table: Table,
  field: string,
  id: number,
  targetId: number,
): Promise<number> {
  let refers = false
  try {
    await changeRecord(
      records,
      { ...actor, source: 'delete' },
      table,
      id,
      { [field]: null },
      {
        onlyIf: (data) => {
          refers = data[field] === targetId
          return refers
        },
        withoutHooks: true,
        withoutFieldRules: true,
        withoutConditions: true,
        ...(actor.batchId !== undefined && { writesWith: noted(records, actor, table, actor.batchId) }),
      },
    )
    return Number(refers)
  } catch (error) {
    if (error instanceof NotFound) return 0
    throw error
  }
}

/** The entry by which an undo of the batch finds the reference. */
const noted =
  ({ clock }: Pick<RecordDependencies, 'clock'>, { tenant }: Actor, { name: model }: Table, batchId: number) =>
  ({ id, version }: StoredRecord) => [
    sideEntry(tenant, batchId, { model, id, version, action: 'update', atMs: clock.now() }),
  ]
