import { Invalid } from '../../../kernel/failures/faults.ts'
import { maxRecordBytes } from '../../../kernel/limits/records.ts'
import type { Principal } from '../../../kernel/principal.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Change } from '../client/write.ts'
import type { Key } from '../keys/key.ts'
import { recordKey, cleanupDueKey } from '../keys/records.ts'
import { changeEntry, dueEntry } from '../slots.ts'
import { readJson } from '../values/json-attribute.ts'
import type { Item } from '../values/marshal.ts'
import { type NamedFields, withNames, withStoredNames } from './stored-names.ts'

/*
 * The codec of a record's row. It is not in the slice `records`, because lower slices read the row as well: lists, row
 * rules, search and history.
 */

export type RecordData = Readonly<Record<string, unknown>>

/** A record without its fields. */
export interface RecordHead {
  readonly id: number
  readonly tenant_id: number
  readonly created_by: number
  readonly updated_by: number
  readonly created_at: string
  readonly updated_at: string
  readonly version: number
}

/** A record as stored: `data` also has the values of retired fields. */
export interface StoredRecord extends RecordHead {
  readonly data: RecordData
  /** Set when a delete begins; the record is invisible from then on. */
  readonly deletedAt?: string
  readonly deletedBy?: number
  /** The record that it was merged into; it is in no list from then on, and nobody writes it. */
  readonly mergedInto?: number
  /** The records that were merged into it, the last at the end. */
  readonly mergedFrom?: readonly number[]
}

/** The write that made the current version of a record. */
export interface RecordWrite {
  readonly tenantId: number
  readonly model: string
  readonly id: number
  readonly version: number
  /** Who wrote it, and `at` which time; for a record that is being deleted, who deleted it. */
  readonly userId: number
  readonly at: string
  readonly isDelete: boolean
  readonly impersonatorId?: number
  readonly source?: string
  readonly hops?: number
  readonly batchId?: number
  /** The people who watch the record are notified. */
  readonly isToldToWatchers: boolean
}

/** The part of a table that the rows of its records depend on. */
export interface RecordTable extends NamedFields {
  readonly name: string
  readonly has_processes?: true
  readonly has_subscriptions?: true
  /** The fields by which its records count in rollups, and the tables that have these. */
  readonly rolled_up_by?: readonly RolledUpBy[]
  /** Fields that no column holds, by their stored names. */
  readonly opaqueFields?: readonly string[]
}

/** A field whose value is the id of a record that rolls up those that refer to it. */
export interface RolledUpBy {
  readonly field: string
  readonly table: string
}

/** The part of an actor that a record's row stores. */
export type RecordWriter = Principal & {
  /** How many process steps led to this write since the last action of a user or a timer. */
  readonly hops?: number
  /** Subscriptions are not told of the version. */
  readonly skipsNotifications?: true
  /** The batch that the write belongs to. */
  readonly batchId?: number
  /** The record that comments and messages leave by this write, or for which they leave. */
  readonly split?: { readonly from: number } | { readonly into: number }
}

/** Reads a record's row, by the names of its table's fields; undefined when there is none. */
export function readRecord(item: Item | null | undefined, table: NamedFields): StoredRecord | undefined {
  if (!item) return undefined
  return {
    id: Number(item.sk),
    tenant_id: Number(item.tenant_id),
    created_by: Number(item.created_by),
    updated_by: Number(item.updated_by),
    created_at: String(item.created_at),
    updated_at: String(item.updated_at),
    version: Number(item.version),
    data: readRecordData(item, table),
    ...(item.deleted_at !== undefined && { deletedAt: String(item.deleted_at), deletedBy: Number(item.deleted_by) }),
    ...(item.merged_into !== undefined && { mergedInto: Number(item.merged_into) }),
    ...(item.merged_from !== undefined && { mergedFrom: readMergedFrom(item) }),
  }
}

/** The record that a record was merged into; undefined for any other, also while it is being deleted. */
export const readMergedInto = (item: Item | null | undefined): number | undefined =>
  item?.merged_into === undefined || item.deleted_at !== undefined ? undefined : Number(item.merged_into)

/** The records that were merged into a record. */
export const readMergedFrom = (item: Item): readonly number[] =>
  typeof item.merged_from === 'string' ? item.merged_from.split(' ').map(Number) : []

/** A merged record as if it were a living one, so that rules can judge it. */
export const asUnmerged = (item: Item): Item => ({ ...item, merged_into: undefined })

/** The same, but undefined for a record that is being deleted, or was merged into another. */
export function readLivingRecord(item: Item | null | undefined, table: NamedFields): StoredRecord | undefined {
  return isLiving(item) ? readRecord(item, table) : undefined
}

/** Whether the record exists, is not being deleted, and was not merged into another. */
export const isLiving = (item: Item | null | undefined): item is Item =>
  item !== undefined && item !== null && item.deleted_at === undefined && item.merged_into === undefined

/** The attributes of a record's row that tell whether it lives. */
export const livingAttributes = ['pk', 'sk', 'deleted_at', 'merged_into'] as const

/** Reads a record's row without parsing its fields. */
export const readRecordHead = (item: Item): RecordHead => ({
  id: Number(item.sk),
  tenant_id: Number(item.tenant_id),
  created_by: Number(item.created_by),
  updated_by: Number(item.updated_by),
  created_at: String(item.created_at),
  updated_at: String(item.updated_at),
  version: Number(item.version),
})

/** The fields of a record, retired ones included. */
export const readRecordData = (item: Item, table: NamedFields): RecordData =>
  withNames(table, readJson<RecordData>(item, 'data'))

/** The fields of a record as the JSON that its row has. */
export const writeRecordData = (table: NamedFields, data: RecordData): string =>
  JSON.stringify(withStoredNames(table, data))

/** The stored names of a record's fields that no column holds. */
export const readOpaqueFields = (item: Item): readonly string[] | undefined => item.opaque as string[] | undefined

/** The fields of a record as JSON text, to measure them. */
export const recordDataText = (item: Item): string => String(item.data)

/** Reads the latest write of a record from its row or its stream image. */
export function readRecordWrite(item: Item): RecordWrite {
  const isDelete = item.deleted_at !== undefined
  return {
    tenantId: Number(item.tenant_id),
    model: String(item.model),
    id: Number(item.sk),
    version: Number(item.version),
    userId: Number(isDelete ? item.deleted_by : item.derived_at === undefined ? item.updated_by : 0),
    at: String(isDelete ? item.deleted_at : readChangedAt(item)),
    isDelete,
    isToldToWatchers: item.watched === true,
    ...(item.impersonator_id !== undefined && { impersonatorId: Number(item.impersonator_id) }),
    ...(item.source !== undefined && { source: String(item.source) }),
    ...(item.hops !== undefined && { hops: Number(item.hops) }),
    ...(item.batch_id !== undefined && { batchId: Number(item.batch_id) }),
  }
}

/** When the current version of a record was written: later than `updated_at` when it only brought derived values. */
export const readChangedAt = (item: Item): string => String(item.derived_at ?? item.updated_at)

/**
 * The version that an `If-Match` has to name, at least: later ones up to the current version only brought derived values
 * up to date, which no writer changes.
 */
export const readEditedVersion = (item: Item): number => Number(item.edited_version ?? item.version)

/** The update that makes a version of a record with other derived values, which only lists and history receive. */
export function derivedUpdate(
  tenant: TenantRef,
  table: RecordTable,
  current: Item,
  { data, text, source, at, writeId }: DerivedVersion,
): Change {
  const version = Number(current.version) + 1
  // What a rollup is made of names no rollup, so it needs not be told of one.
  const told = source === 'rollup' ? {} : touchedRollups(table, data)
  const slot = changeEntry(tenant, table.name, { at, id: Number(current.sk), version, isGone: false })
  const set: Item = {
    data: text,
    version,
    edited_version: readEditedVersion(current),
    derived_at: at,
    source,
    write_id: writeId,
    ...slot,
    ...told,
  }
  const gone = [
    'processes',
    'subscriptions',
    'watched',
    'logged',
    'hops',
    'batch_id',
    'split',
    'impersonator_id',
    'touched',
    'touched_to',
  ]
  const removed = gone.filter((name) => !Object.hasOwn(set, name))
  const names = [...Object.keys(set), ...removed]
  return {
    expression: `SET ${Object.keys(set)
      .map((name) => `#${name} = :${name}`)
      .join(', ')} REMOVE ${removed.map((name) => `#${name}`).join(', ')}`,
    names: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    values: Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])) as Change['values'],
  }
}

interface DerivedVersion {
  readonly data: RecordData
  /** The data as JSON. */
  readonly text: string
  readonly source: string
  readonly at: string
  readonly writeId: string
}

/**
 * The attribute that names the records whose rollups a write touches: those that the record refers to, and those that it
 * referred to before. Empty for a table that nobody rolls up.
 */
export function touchedRollups(
  { rolled_up_by: by }: RecordTable,
  ...versions: readonly (RecordData | undefined)[]
): { readonly touched?: string } {
  if (!by) return {}
  const touched = new Set<string>()
  for (const data of versions)
    for (const { table, field } of by) {
      const id = data?.[field]
      if (typeof id === 'number') touched.add(`${table}#${id}`)
    }
  return touched.size > 0 ? { touched: [...touched].join(' ') } : {}
}

/** The pending hooks as text, which `readPendingHooks` in `shared/records/records` parses. */
export const readAfterDue = (item: Item | null | undefined): string | undefined => item?.after_due as string | undefined

/**
 * How often the cleanup of a record was queued. Each time raises it, so that the change feed delivers the row again.
 */
export const readRemovalRound = (item: Item): number => Number(item.removal_round ?? 0)

/**
 * The attribute of a record's row that has the people who watch the record told of its new version. The next version is
 * written without it.
 */
export const toldToWatchers = { watched: true } as const

/**
 * The attribute of a new record's row whose writer appends it to the column log itself. The change feed does not, then.
 * The next version is written without it.
 */
export const loggedByWriter = { logged: true } as const

/** The row of a living record, or of one that was merged into another. The write is idempotent by `writeId`. */
export const recordItem = (
  table: RecordTable,
  record: StoredRecord,
  author: RecordWriter,
  writeId: string,
): Item & Key => ({
  ...commonAttributes(table, record, author, writeId),
  ...changeEntry(author.tenant, table.name, {
    at: record.updated_at,
    id: record.id,
    version: record.version,
    isGone: record.mergedInto !== undefined,
  }),
})

/** The row of a record that is being deleted. In the due slot the sweeper finds it if the delete stops. */
export function markedItem(
  table: RecordTable,
  record: StoredRecord & { readonly deletedAt: string; readonly deletedBy: number; readonly afterDue?: string },
  author: RecordWriter,
  writeId: string,
  removal: { dueAt: string; queued: boolean; round: number },
): Item & Key {
  const { tenant } = author
  return {
    ...commonAttributes(table, record, author, writeId),
    deleted_at: record.deletedAt,
    deleted_by: record.deletedBy,
    ...(record.afterDue !== undefined && { after_due: record.afterDue }),
    ...(removal.queued && { removal: 'queued', removal_round: removal.round }),
    ...changeEntry(tenant, table.name, {
      at: record.deletedAt,
      id: record.id,
      version: record.version,
      isGone: true,
    }),
    ...dueEntry(cleanupDueKey(removal.dueAt, tenant, table.name, record.id)),
  }
}

function commonAttributes(table: RecordTable, record: StoredRecord, author: RecordWriter, writeId: string): Item & Key {
  const data = writeRecordData(table, record.data)
  if (data.length > maxRecordBytes / 4 && Buffer.byteLength(data) > maxRecordBytes) {
    throw new Invalid({ data: ['The record may not be larger than 350 KB.'] }, { code: 'record_too_large' })
  }
  return {
    ...recordKey(author.tenant, table.name, record.id),
    kind: 'record',
    v: 1,
    feed: 'record',
    tenant_id: record.tenant_id,
    model: table.name,
    version: record.version,
    created_by: record.created_by,
    updated_by: record.updated_by,
    created_at: record.created_at,
    updated_at: record.updated_at,
    data,
    write_id: writeId,
    ...(author.impersonatorId !== undefined && { impersonator_id: author.impersonatorId }),
    ...(author.source !== undefined && { source: author.source }),
    ...(author.hops !== undefined && { hops: author.hops }),
    ...(author.batchId !== undefined && { batch_id: author.batchId }),
    ...(author.split && { split: JSON.stringify(author.split) }),
    ...(record.mergedInto !== undefined && { merged_into: record.mergedInto }),
    ...(record.mergedFrom && record.mergedFrom.length > 0 && { merged_from: record.mergedFrom.join(' ') }),
    ...(table.opaqueFields && { opaque: table.opaqueFields }),
    ...(table.has_processes && { processes: true }),
    ...(table.has_subscriptions && !author.skipsNotifications && { subscriptions: true }),
  }
}
