import { Fault, NotFound } from '../../../kernel/failures/faults.ts'
import { unrestricted } from '../../../kernel/principal.ts'
import { log } from '../../../kernel/runtime/log.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { recordKey, tombstoneKey } from '../../../platform/store/keys/records.ts'
import { isLiving, readMergedInto, readRecordWrite } from '../../../platform/store/rows/record-row.ts'
import { readTombstone } from '../../../platform/store/rows/tombstone-row.ts'
import type { Write } from '../../../platform/store/store.ts'
import { exists, has } from '../../../platform/store/writes/conditions.ts'
import { TransactionRefused } from '../../../platform/store/writes/refusals.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { recordAndTombstoneKeys } from '../../history/state-at.ts'
import type { Actor } from '../actor.ts'
import type { RecordDependencies } from '../dependencies.ts'
import { type Pointing, pointReference } from '../write/point-reference.ts'
import { isSame, referrersWith } from './clear-references.ts'

/** References that are looked for at once. */
const referencesPerLook = 500

/** A record that was deleted, or merged into another. */
export interface GoneRecord {
  readonly table: Table
  readonly id: number
  /** In whose name references to it are changed: who deleted or merged it, with the batch. */
  readonly actor: Actor
  /** The record that it is part of by now. */
  readonly into?: number
  /** When it was deleted (ISO 8601, UTC); undefined for a merged one. */
  readonly deletedAt?: string
  /** Refuses a transaction once the record is back. */
  readonly stillGone: Write
}

/**
 * Looks once more for references to a record that was deleted, or merged into another, a moment before the index told of them
 * (docs/decisions/0115): those with `set_null` are cleared, and those to a merged record follow it. What was done before is
 * left alone, so messages may come twice and late.
 */
export async function lookAgain(
  records: RecordDependencies,
  tenant: Tenant,
  model: string,
  id: number,
  timeIsUp: () => boolean,
): Promise<void> {
  const table = await records.tables.find(tenant, model)
  const gone = table && (await findGone(records, tenant, table, id))
  if (!gone) return
  const fields =
    gone.into === undefined
      ? await referrersWith(records, tenant, table, 'set_null')
      : await records.tables.referringFields(tenant, model)
  let mended = 0
  for (const { table: other, field } of fields) {
    for (let before = -1; before < mended;) {
      before = mended
      for (const by of await records.referencesTo(tenant, other, field.name, id, referencesPerLook)) {
        // The nightly repair finds what there was no time for.
        if (timeIsUp()) return
        if (await mendReference(records, gone, { table: other, field: field.name, id: by })) mended += 1
      }
    }
  }
  if (mended > 0) log.info('found references to a record that is gone', { model, id, references: mended })
}

/** Who deleted or merged a record; undefined for one that lives, or whose delete has not ended. */
export async function findGone(
  { store }: Pick<RecordDependencies, 'store'>,
  tenant: Tenant,
  table: Table,
  id: number,
): Promise<GoneRecord | undefined> {
  const model = table.name
  const [item, tombstone] = await store.getMany(tenant, recordAndTombstoneKeys(tenant, model, id))
  const actorOf = (userId: number, source: string, batchId: number | undefined): Actor => ({
    ...unrestricted,
    tenant,
    userId,
    source,
    ...(batchId !== undefined && { batchId }),
  })
  const merged = readMergedInto(item)
  if (item && merged !== undefined) {
    const { userId, batchId } = readRecordWrite(item)
    const into = await survivorOf(merged)
    const stillGone = { check: recordKey(tenant, model, id), if: has('merged_into') }
    return into === undefined ? undefined : { table, id, actor: actorOf(userId, 'merge', batchId), into, stillGone }
  }
  if (item || !tombstone) return undefined
  const { deletedAt, deletedBy, batchId } = readTombstone(tombstone)
  const stillGone = { check: tombstoneKey(tenant, model, id), if: exists }
  return { table, id, actor: actorOf(deletedBy, 'delete', batchId), deletedAt, stillGone }

  /** The record may have been merged on. */
  async function survivorOf(first: number): Promise<number | undefined> {
    for (let into = first; ;) {
      const next = await store.get(tenant, recordKey(tenant, model, into))
      if (isLiving(next)) return into
      const further = readMergedInto(next)
      if (further === undefined) return undefined
      into = further
    }
  }
}

/**
 * Clears a reference to a record that is gone, or has it follow. One that cannot be changed keeps no others from it, and once
 * the record is back, references to it stay. Answers whether it was changed.
 */
export async function mendReference(
  records: RecordDependencies,
  { table: target, id: from, actor, into, stillGone }: GoneRecord,
  { table, field, id }: Pick<Pointing, 'table' | 'field' | 'id'>,
): Promise<boolean> {
  if (isSame(table, id, target, from)) return false
  // A record that referred to one that it absorbed does not refer to itself.
  const to = into === undefined || isSame(table, id, target, into) ? null : into
  try {
    return await pointReference(records, actor, { table, field, id, from, to }, [stillGone])
  } catch (error) {
    if (error instanceof TransactionRefused) return false
    if (!(error instanceof Fault)) throw error
    if (!(error instanceof NotFound))
      log.warn('could not change a reference to a record that is gone', {
        model: table.name,
        id,
        field,
        reason: error.message,
      })
    return false
  }
}
