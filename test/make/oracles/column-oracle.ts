/** What the items of the column index say, read as simply as possible, to compare with what was told. */
import { maxColumnCharacters } from '../../../shared/kernel/limits/lists.ts'
import { stampColumn } from '../../../shared/lists/columns/blocks.ts'
import { longColumn } from '../../../shared/lists/columns/column-values.ts'
import { type LogRow, readLogItem, stampOf } from '../../../shared/lists/columns/log-entry.ts'
import { type Manifest, readManifest } from '../../../shared/lists/columns/manifest.ts'
import type { Value } from '../../../shared/lists/columns/scalar.ts'
import { decodeBlock } from '../../../shared/lists/columns/vector/blocks/decode-block.ts'
import { LeafCursor } from '../../../shared/lists/search/leaf/leaf-cursor.ts'
import { emptyPostings } from '../../../shared/lists/search/leaf/postings.ts'
import { wordsOf } from '../../../shared/lists/search/words-of.ts'
import { blockPartition, columnLogPartition, columnsPartition } from '../../../shared/platform/store/keys/columns.ts'
import { readAll } from '../../../shared/platform/store/ranges/read-all.ts'
import type { Item } from '../../../shared/platform/store/values/marshal.ts'
import type { Table } from '../../../shared/tables/tables/table.ts'
import type { SingleTable } from '../services/stores/single-table.ts'

/** What is known of one record. */
export interface Known {
  readonly stamp: number
  readonly values: Readonly<Record<string, Value>>
}

export interface ReadColumns {
  readonly manifest: Manifest
  /** Of the blocks alone. */
  readonly folded: ReadonlyMap<number, Known>
  /** Of the blocks and the log. */
  readonly latest: ReadonlyMap<number, Known>
  /** Word to `id:weight` of the blocks, sorted. */
  readonly words: Readonly<Record<string, readonly string[]>>
  /** Keys of items that nothing refers to. */
  readonly orphans: readonly string[]
  /** The numbers of the log's entries. */
  readonly entries: readonly number[]
}

/** Tests have no ids in later chunks. */
const maxChunks = 7

/** Reads everything about a table's columns. */
export async function readColumnItems(single: SingleTable, tenantId: number, model: string): Promise<ReadColumns> {
  const tenant = { id: tenantId }
  const prefix = `T#${tenantId}#X`
  const partitions = [
    columnsPartition(tenant, model),
    columnLogPartition(tenant, model),
    ...Array.from({ length: maxChunks }, (_, chunk) => blockPartition(tenant, model, chunk)),
  ]
  const found = await Promise.all(partitions.map((pk) => readAll(single.store, tenant, { pk })))
  const items = new Map(found.flat().map((item) => [`${String(item.pk)} ${String(item.sk)}`, item]))
  const manifest = await readManifest(single.store, tenant, model)
  const used = new Set([`${prefix}#${model} MANIFEST`])
  for (let part = 0; part < (manifest.stored?.parts ?? 0); part += 1)
    used.add(`${prefix}#${model} MANIFEST#${manifest.stored?.generation}#${part}`)
  const take = (chunk: number, sort: string): Uint8Array => {
    const key = `${prefix}B#${model}#${chunk} ${sort}`
    used.add(key)
    return items.get(key)!.b as Uint8Array
  }
  const folded = readBlocks(manifest, take)
  const words = readWords(manifest, take)
  const log = [...items.values()].filter(({ pk }) => pk === `${prefix}L#${model}`)
  for (const { pk, sk } of log) used.add(`${String(pk)} ${String(sk)}`)
  return {
    manifest,
    folded,
    latest: withLog(folded, log, manifest),
    words,
    orphans: [...items.keys()].filter((key) => !used.has(key)),
    entries: log.map(({ sk }) => Number(sk)).sort((a, b) => a - b),
  }
}

type Take = (chunk: number, sort: string) => Uint8Array

function readBlocks(manifest: Manifest, take: Take): Map<number, Known> {
  const known = new Map<number, { stamp: number; values: Record<string, Value> }>()
  const stampsFirst = [...manifest.blocks].sort(([a], [b]) => Number(b === stampColumn) - Number(a === stampColumn))
  for (const [column, places] of stampsFirst) {
    for (const [chunk, [generation, parts, bytes]] of places) {
      const block = Buffer.concat(
        Array.from({ length: parts }, (_, part) => take(chunk, `${column}#${generation}#${part}`)),
      )
      if (block.length !== bytes) throw new Error(`block ${column} of chunk ${chunk} has ${block.length} bytes`)
      const vector = decodeBlock(block)
      for (let position = 0; position < vector.length; position += 1) {
        const value = vector.get(position)
        if (value === null) continue
        const id = chunk * 16_384 + position
        if (column === stampColumn) known.set(id, { stamp: value as number, values: {} })
        else known.get(id)!.values[column] = value
      }
    }
  }
  return known
}

function readWords(manifest: Manifest, take: Take): Record<string, string[]> {
  const words: Record<string, string[]> = {}
  for (const [chunk, { leaves }] of manifest.words) {
    for (const [first, generation, number] of leaves) {
      const cursor = new LeafCursor(take(chunk, `~#${generation}#${number}`))
      const postings = emptyPostings()
      for (let isFirst = true; cursor.next(); isFirst = false) {
        if (isFirst && cursor.wordText() !== first) throw new Error(`leaf ${first} begins with ${cursor.wordText()}`)
        cursor.readPostings(postings)
        for (let at = 0; at < postings.count; at += 1)
          (words[cursor.wordText()] ??= []).push(`${chunk * 16_384 + postings.positions[at]!}:${postings.weights[at]}`)
      }
    }
  }
  for (const found of Object.values(words)) found.sort()
  return words
}

function withLog(folded: ReadonlyMap<number, Known>, log: readonly Item[], manifest: Manifest) {
  const latest = new Map(folded)
  for (const item of log) {
    const { seq, rows } = readLogItem(item)
    if (seq <= manifest.folded) continue
    for (const row of rows) {
      if (stampOf(row) > (latest.get(row.id)?.stamp ?? -1)) latest.set(row.id, knownOf(row, manifest.leftOut))
    }
  }
  return latest
}

/** What columns say of a row. */
export function knownOf(row: LogRow, leftOut: ReadonlySet<string> = new Set()): Known {
  const values: Record<string, Value> = {}
  for (const [column, value] of row.values) {
    values[column] = value
    if (typeof value !== 'string' || value.length <= maxColumnCharacters) continue
    values[column] = value.slice(0, maxColumnCharacters)
    if (!leftOut.has(longColumn(column))) values[longColumn(column)] = value
  }
  return { stamp: stampOf(row), values }
}

/** What columns must say after all these rows, in any order. */
export function expectedColumns(rows: Iterable<LogRow>, leftOut?: ReadonlySet<string>): Map<number, Known> {
  const latest = new Map<number, LogRow>()
  for (const row of rows) {
    const before = latest.get(row.id)
    if (!before || stampOf(row) > stampOf(before)) latest.set(row.id, row)
  }
  return new Map([...latest].map(([id, row]) => [id, knownOf(row, leftOut)]))
}

/** The words that the leaves must have for these records. */
export function expectedWords(table: Table, known: ReadonlyMap<number, Known>): Record<string, string[]> {
  const words: Record<string, string[]> = {}
  for (const [id, { values }] of known) {
    for (const [word, weight] of wordsOf(table, (column) => values[column] ?? null))
      (words[word] ??= []).push(`${id}:${weight}`)
  }
  for (const found of Object.values(words)) found.sort()
  return words
}

/** How many records of each chunk live. */
export const livingIn = (known: ReadonlyMap<number, Known>): number =>
  [...known.values()].filter(({ stamp }) => stamp % 2 === 0).length
