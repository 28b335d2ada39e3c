import { pathsIn } from '../../files/service.ts'
import { type PastState, lastState, stateAt } from '../../history/service.ts'
import { isoTime } from '../../kernel/clock.ts'
import { Conflict, Invalid, NotFound } from '../../kernel/faults.ts'
import type { Viewer } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { atVersion, isNew } from '../../store/conditions.ts'
import { type Key, idText } from '../../store/keys/key.ts'
import { recordKey, tombstoneKey } from '../../store/keys/records.ts'
import type { Item } from '../../store/marshal.ts'
import { moveCountOf } from '../../store/recount.ts'
import { isRefusal } from '../../store/refusals.ts'
import { retryWithJitter } from '../../store/retry-with-jitter.ts'
import { isLiving, readRecordData } from '../../store/rows/record-row.ts'
import { readTombstone } from '../../store/rows/tombstone-row.ts'
import type { Table } from '../../tables/service.ts'
import type { Actor } from '../actor.ts'
import type { EntityDependencies } from '../dependencies.ts'
import { type RecordData, type StoredRecord, answerRecord, recordItem, visibleData } from '../record-item.ts'
import type { EntityRecord } from '../schema.ts'
import { changeRecord } from '../write/change-record.ts'
import { checkRestoredFields } from '../write/check-fields.ts'
import { checkReferences } from '../write/check-references.ts'
import { saveRecord } from '../write/save-record.ts'
import { guardWrites } from '../write/unique-guards.ts'

/** Reads an object of the files bucket: large entries of history stand there. */
export type FetchObject = (key: string) => Promise<Uint8Array>

/** The rows that tell a record's past. */
export const historyReadsAt = (tenant: TenantRef, model: string, id: number): readonly Key[] => [
  recordKey(tenant, model, id),
  tombstoneKey(tenant, model, id),
]

/**
 * The record as it was at a moment, ISO 8601 in UTC. Throws NotFound when it did not exist then, or when the viewer's row
 * rules hide the record as it is now (a deleted one: as it last was) or as it was then.
 */
export async function recordAt(
  deps: Pick<EntityDependencies, 'store' | 'clock' | 'access'>,
  viewer: Viewer,
  table: Table,
  id: number,
  at: string,
  rows: readonly (Item | null | undefined)[],
  fetchObject: FetchObject,
): Promise<EntityRecord> {
  const { tenant } = viewer
  const state = await stateVisibleAt({ ...deps, fetchObject }, viewer, table, id, at, rows)
  return answerRecord(table, { id, tenant_id: tenant.id, ...state })
}

type PastDependencies = Pick<EntityDependencies, 'store' | 'clock' | 'access'> & { readonly fetchObject: FetchObject }

async function stateVisibleAt(
  deps: PastDependencies,
  viewer: Viewer,
  table: Table,
  id: number,
  at: string,
  rows: readonly (Item | null | undefined)[],
  action: 'read' | 'update' = 'read',
): Promise<PastState> {
  const { access } = deps
  const { tenant } = viewer
  const model = table.name
  const isLimited = access.isLimited(viewer, model, 'read') || access.isLimited(viewer, model, action)
  if (isLimited) await access.need(viewer, model, id, action, await currentItem(deps, tenant, model, id, rows))
  const state = await stateAt(deps, tenant, model, id, at, rows)
  if (!state) throw new NotFound('record', { model, id })
  if (isLimited) await access.need(viewer, model, id, 'read', stateItem(tenant, id, state))
  return state
}

/** What rules on a record are asked of: itself, or, once it is deleted, how it last was. */
export async function currentItem(
  deps: Omit<PastDependencies, 'access'>,
  tenant: TenantRef,
  model: string,
  id: number,
  [record, tombstone]: readonly (Item | null | undefined)[],
): Promise<Item | undefined> {
  if (record) return { ...record, deleted_at: undefined }
  return tombstone ? stateItem(tenant, id, await lastState(deps, tenant, model, id, tombstone)) : undefined
}

/** A past state in the form in which rules are asked about records. */
const stateItem = (tenant: TenantRef, id: number, { data, ...standard }: PastState): Item => ({
  ...standard,
  sk: idText(id),
  tenant_id: tenant.id,
  data: JSON.stringify(data),
})

export interface Restored {
  readonly record: EntityRecord
  /** Paths that the record held then and that are gone. */
  readonly missingFiles: readonly string[]
}

/**
 * Writes a past state back: an ordinary update of a record that lives, with its hooks, or the same record again under its
 * old id when it was deleted. Transitions are not checked; unique values, references and the fields' own rules are. Who
 * comes second to a deleted record finds it alive.
 */
export const restoreRecord = (
  deps: EntityDependencies,
  actor: Actor,
  table: Table,
  id: number,
  at: string,
  fetchObject: FetchObject,
): Promise<Restored> =>
  retryWithJitter(deps.clock, async (again) => {
    try {
      return await restoreOnce(deps, actor, table, id, at, fetchObject)
    } catch (error) {
      if (isRefusal(error)) return again(error)
      throw error
    }
  })

async function restoreOnce(
  deps: EntityDependencies,
  actor: Actor,
  table: Table,
  id: number,
  at: string,
  fetchObject: FetchObject,
): Promise<Restored> {
  const { store } = deps
  const { tenant } = actor
  const [record, tombstone] = await store.getMany(tenant, historyReadsAt(tenant, table.name, id))
  const state = await stateVisibleAt({ ...deps, fetchObject }, actor, table, id, at, [record, tombstone], 'update')
  const { data, missingFiles } = await withoutGoneFiles(deps, tenant, table, visibleData(table, state.data))
  const source = { ...actor, source: 'restore' }
  if (record && !isLiving(record)) throw new Conflict('record_busy', 'The record is being deleted. Try again.')
  const restored = record
    ? await changeRecord(
        deps,
        source,
        table,
        id,
        { ...emptied(table, record), ...data },
        { withoutTransitions: true, permit: (item) => deps.access.need(actor, table.name, id, 'update', item) },
      )
    : await createAgain(deps, source, table, id, state, data, tombstone as Item)
  return { record: answerRecord(table, restored), missingFiles }
}

/** Every field that the record holds now, as null: what the past state did not hold is cleared. */
const emptied = (table: Table, record: Item): RecordData =>
  Object.fromEntries(
    Object.keys(readRecordData(record))
      .filter((name) => table.fieldsByName.has(name))
      .map((name) => [name, null]),
  )

async function createAgain(
  deps: EntityDependencies,
  actor: Actor,
  table: Table,
  id: number,
  state: PastState,
  past: RecordData,
  tombstone: Item,
): Promise<StoredRecord> {
  const { store, clock } = deps
  const { tenant } = actor
  const { version, deletedAt, afterDue } = readTombstone(tombstone)
  if (afterDue !== undefined)
    throw new Conflict('record_busy', 'The hooks of the delete have not ended yet. Try again.')
  const data = checkRestoredFields(table, past)
  const missing = await checkReferences(deps, tenant, table, data, Object.keys(data), actor)
  if (Object.keys(missing).length > 0) throw new Invalid(missing)
  const record: StoredRecord = {
    id,
    tenant_id: tenant.id,
    created_by: state.created_by,
    created_at: state.created_at,
    updated_by: actor.userId,
    updated_at: isoTime(Math.max(clock.now(), Date.parse(deletedAt))),
    version: version + 1,
    data,
  }
  const files = deps.files.writes(tenant, table, record, undefined, data)
  const leaveTomb = {
    remove: tombstoneKey(tenant, table.name, id),
    if: atVersion(version),
  }
  const item = recordItem(table, record, actor, clock.uuid())
  await saveRecord(store, tenant, item, isNew, guardWrites(tenant, table, id, undefined, data), [
    ...files.writes,
    leaveTomb,
    moveCountOf(tenant, table.name, [id], 1),
  ])
  return record
}

/** The state without paths whose file is gone: they cannot be claimed again. */
async function withoutGoneFiles(
  { files }: EntityDependencies,
  tenant: TenantRef,
  table: Table,
  data: RecordData,
): Promise<{ data: RecordData; missingFiles: string[] }> {
  const kept: Record<string, unknown> = { ...data }
  const missingFiles = new Set<string>()
  for (const field of table.table_fields) {
    if (field.type !== 'file' && field.type !== 'image') continue
    const paths = pathsIn(data[field.name])
    const gone = await Promise.all(
      paths.map(
        async (path) => Object.keys(await files.check(tenant, table, { [field.name]: path }, [field.name])).length > 0,
      ),
    )
    const left = paths.filter((_, index) => !gone[index])
    if (left.length === paths.length) continue
    for (const [index, path] of paths.entries()) if (gone[index]) missingFiles.add(path)
    kept[field.name] = Array.isArray(data[field.name]) && left.length > 0 ? left : (left[0] ?? null)
  }
  return { data: kept, missingFiles: [...missingFiles] }
}
