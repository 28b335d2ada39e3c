import { gzipSync } from 'node:zlib'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { columnLogKey } from '../../platform/store/keys/columns.ts'
import type { Key } from '../../platform/store/keys/key.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { readPackedJson } from '../../platform/store/values/pack-json.ts'
import type { Value } from './scalar.ts'

/** The values of a record by column, texts uncut, without missing ones. A Map is one. */
export interface RowValues extends Iterable<readonly [column: string, value: Value]> {
  get(column: string): Value | undefined
}

/** What a record was like at one version. */
export interface LogRow {
  readonly id: number
  readonly version: number
  /** Deleted, or being deleted; then it has no values. */
  readonly isGone: boolean
  readonly values: RowValues
}

/** Orders all that is reported of one record: the greater stamp is the newer state. */
export const stampOf = ({ version, isGone }: Pick<LogRow, 'version' | 'isGone'>): number =>
  version * 2 + (isGone ? 1 : 0)
/** Whether the record with this stamp lives; undefined is the stamp of a record that never was. */
export const isLivingStamp = (stamp: number | undefined): boolean => stamp !== undefined && stamp % 2 === 0

/** The end of a log, or the entry folded last. */
export interface LogHead {
  /** The number of the entry. The first is 1, and no number is left out. */
  readonly seq: number
  /** How many rows were ever appended up to and with this entry. */
  readonly n: number
  /** How many bytes of packed rows likewise. */
  readonly size: number
}
export const emptyLog: LogHead = { seq: 0, n: 0, size: 0 }

/** The attributes of an entry that `readLogHead` needs. */
export const logHeadAttributes = ['pk', 'sk', 'n', 'size'] as const

/** The rows of one entry in their stored form. */
export interface PackedRows {
  readonly rows: string | Uint8Array
  readonly count: number
  readonly bytes: number
}

/** Longer JSON is compressed. A shorter entry costs one write unit anyway. */
const maxPlainTextLength = 900
/**
 * Larger entries are split, down to single rows. A single row names its own columns only, not those of the rows packed
 * with it, so it stays below 400 KB because a record's fields do.
 */
const maxEntryBytes = 250 * 1024
/** How much JSON is packed at once: most entries of this length stay below `maxEntryBytes`. */
const maxEntryCharacters = 768 * 1024

/** Rows as they are stored: `r` has id, version, 0 or 1 for gone, and a living record's values in the order of `f`. */
interface RowTable {
  readonly f: readonly string[]
  readonly r: readonly (readonly [id: number, version: number, gone: 0 | 1, ...values: Value[]])[]
}

/** Packs rows, in their order, into entries that fit into items. */
export function packRows(rows: readonly LogRow[]): PackedRows[] {
  const columns = new Set<string>()
  for (const { values } of rows) for (const [column] of values) columns.add(column)
  const f = [...columns]
  const texts = rows.map(({ id, version, isGone, values }) =>
    JSON.stringify(isGone ? [id, version, 1] : [id, version, 0, ...f.map((column) => values.get(column) ?? null)]),
  )
  const entries: PackedRows[] = []
  let start = 0
  let characters = 0
  for (let index = 0; index <= texts.length; index += 1) {
    const { length } = texts[index] ?? ''
    if (index > start && (index === texts.length || characters + length > maxEntryCharacters)) {
      entries.push(...packTexts(f, rows.slice(start, index), texts.slice(start, index)))
      start = index
      characters = 0
    }
    characters += length
  }
  return entries
}

const sizeOf = (values: RowValues): number => [...values].length

/** Packs rows, given as JSON too, into one entry, or into two if that is too large. */
function packTexts(f: RowTable['f'], of: readonly LogRow[], texts: readonly string[]): PackedRows[] {
  const json = `{"f":${JSON.stringify(f)},"r":[${texts.join(',')}]}`
  const rows = json.length < maxPlainTextLength ? json : gzipSync(json, { level: 1 })
  const bytes = Buffer.byteLength(rows)
  const [only] = of
  const isAlone = of.length === 1 && only !== undefined
  if (bytes <= maxEntryBytes || (isAlone && f.length === sizeOf(only.values)))
    return [{ rows, count: texts.length, bytes }]
  if (isAlone) return packRows(of)
  const half = texts.length >> 1
  return [...packTexts(f, of.slice(0, half), texts.slice(0, half)), ...packTexts(f, of.slice(half), texts.slice(half))]
}

/**
 * Versions before folds looked for changes that were on their way read the time of the newest change here, and in manifests.
 * Without it they ask for all changes, as they must.
 */
export const noTimeTold = ''

/** The entry that follows `head`. */
export const logItem = (
  tenant: TenantRef,
  model: string,
  head: LogHead,
  { rows, count, bytes }: PackedRows,
  writeId: string,
): Item & Key => ({
  ...columnLogKey(tenant, model, head.seq + 1),
  kind: 'column-log',
  v: 1,
  rows,
  n: head.n + count,
  size: head.size + bytes,
  at: noTimeTold,
  write_id: writeId,
})

/** Reads where an entry stands in its log. */
export const readLogHead = (item: Item): LogHead => ({
  seq: Number(item.sk),
  n: Number(item.n),
  size: Number(item.size),
})

/** Reads an entry with its rows. */
export function readLogItem(item: Item): LogHead & { readonly rows: readonly LogRow[] } {
  const { f, r } = readPackedJson<RowTable>(item, 'rows') as RowTable
  return {
    ...readLogHead(item),
    rows: rowsOf(f, r),
  }
}

function rowsOf(f: RowTable['f'], r: RowTable['r']): LogRow[] {
  const places = new Map(f.map((column, index) => [column, index + firstValue]))
  return r.map((packed) => ({
    id: packed[0],
    version: packed[1],
    isGone: packed[2] === 1,
    values: new PackedValues(places, packed),
  }))
}

/** Where the values of a packed row begin: behind id, version and gone. */
const firstValue = 3

/** The values of a packed row as they were read: a map of its own for each row would take ten times the memory. */
class PackedValues implements RowValues {
  readonly #places: ReadonlyMap<string, number>
  readonly #packed: readonly Value[]

  constructor(places: ReadonlyMap<string, number>, packed: readonly Value[]) {
    this.#places = places
    this.#packed = packed
  }

  get(column: string): Value | undefined {
    const place = this.#places.get(column)
    return place === undefined ? undefined : (this.#packed[place] ?? undefined)
  }

  *[Symbol.iterator](): Generator<readonly [string, Value]> {
    for (const [column, place] of this.#places) {
      const value = this.#packed[place] ?? null
      if (value !== null) yield [column, value]
    }
  }
}

/** Where the values of a row are, by its columns: most rows of a table have the same. */
const knownPlaces = new Map<string, ReadonlyMap<string, number>>()
const maxKnownPlaces = 500

/** The same row in less memory, to be kept: its values are packed if they are a map. */
export function packedRow(row: LogRow): LogRow {
  if (!(row.values instanceof Map)) return row
  const values: ReadonlyMap<string, Value> = row.values
  return { ...row, values: new PackedValues(placesOf([...values.keys()]), [...values.values()]) }
}

function placesOf(columns: readonly string[]): ReadonlyMap<string, number> {
  const name = columns.join('\n')
  const known = knownPlaces.get(name)
  if (known) return known
  if (knownPlaces.size >= maxKnownPlaces) knownPlaces.clear()
  const places = new Map(columns.map((column, place) => [column, place]))
  knownPlaces.set(name, places)
  return places
}
