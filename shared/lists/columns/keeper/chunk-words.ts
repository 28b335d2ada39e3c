import { createTurns } from '../../../kernel/runtime/give-way.ts'
import { buildLeaves, changeLeaves } from '../../search/leaf/change-leaves.ts'
import type { WordChange } from '../../search/leaf/word-changes.ts'
import { searchedColumns, type SearchedTable, wordConfig, wordsOf } from '../../search/words-of.ts'
import { readLeaves } from '../blocks.ts'
import { positionOf } from '../chunk.ts'
import type { LogRow } from '../log-entry.ts'
import type { LeafPlace } from '../manifest.ts'
import { valueIn } from '../row-values.ts'
import type { Value } from '../scalar.ts'
import type { Vector } from '../vector/vector.ts'
import { type BlockEdits, Outdated } from './edit-blocks.ts'
import type { KeptTable } from './keeper-limits.ts'

type Words = ReadonlyMap<string, number>

/** The searched columns of one chunk, kept while a fold goes through all columns. */
export type SearchedColumns = ReturnType<typeof createSearchedColumns>

/** `table`: undefined when it was removed; then nothing is searched. */
export function createSearchedColumns(table: SearchedTable | undefined) {
  const columns = new Set(table ? searchedColumns(table) : [])
  const before = new Map<number, Map<string, Value>>()
  const after = new Map<string, Vector>()
  return {
    table,
    /** Keeps the values of rows before they are changed. */
    keepBefore(column: string, vector: Vector | undefined, rows: readonly LogRow[]): void {
      if (!vector || !columns.has(column)) return
      for (const { id } of rows) {
        const position = positionOf(id)
        const values = before.get(position) ?? new Map<string, Value>()
        before.set(position, values.set(column, vector.get(position)))
      }
    },
    keepAfter(column: string, vector: Vector | undefined): void {
      if (vector && columns.has(column)) after.set(column, vector)
    },
    /** The value of a position before the changes, if `keepBefore` was told. */
    valueBefore: (position: number, column: string): Value => before.get(position)?.get(column) ?? null,
    valueAfter: (position: number, column: string): Value => after.get(column)?.get(position) ?? null,
    /** Positions from here on have no words after the changes. */
    length: (): number => Math.max(0, ...[...after.values()].map((vector) => vector.length)),
  }
}

/**
 * Brings the leaves of a chunk in step with its columns. They have exactly the words of the columns as they were, made
 * with the configuration that the manifest names; with another one all of them are made anew.
 */
export async function changeChunkWords(
  kept: KeptTable,
  edits: BlockEdits,
  chunk: number,
  rows: readonly LogRow[],
  searched: SearchedColumns,
): Promise<void> {
  const { table } = searched
  const known = edits.manifest.words.get(chunk)
  if (!table || searchedColumns(table).length === 0) {
    if (known) await edits.replaceWords(chunk, '', undefined)
    return
  }
  const config = wordConfig(table)
  if (known?.config !== config) return makeChunkWords(edits, chunk, searched)
  const changes = new Map<number, WordChange>()
  const nextTurn = createTurns()
  for (const row of rows) {
    const position = positionOf(row.id)
    changes.set(position, {
      before: wordsOf(table, (column) => searched.valueBefore(position, column)),
      after: wordsOf(table, (column) => valueIn(row, column)),
    })
    await nextTurn()
  }
  const { leaves } = known
  const next = await changeLeaves(
    leaves.map(([first]) => ({ first })),
    leafReader(kept, chunk, leaves),
    changes,
  )
  if (next.some((leaf) => !('kept' in leaf)) || next.length < leaves.length)
    await edits.replaceWords(chunk, config, next)
}

/** Makes the leaves of a chunk anew from its searched columns. */
export async function makeChunkWords(edits: BlockEdits, chunk: number, searched: SearchedColumns): Promise<void> {
  const { table } = searched
  if (!table || searchedColumns(table).length === 0) return edits.replaceWords(chunk, '', undefined)
  const words = new Map<number, Words>()
  const nextTurn = createTurns()
  const length = searched.length()
  for (let position = 0; position < length; position += 1) {
    const ofRecord = wordsOf(table, (column) => searched.valueAfter(position, column))
    if (ofRecord.size > 0) words.set(position, ofRecord)
    await nextTurn()
  }
  await edits.replaceWords(chunk, wordConfig(table), await buildLeaves(words))
}

/** Reads leaves by their index: those asked for in one turn together. */
function leafReader({ store, tenant, model }: KeptTable, chunk: number, leaves: readonly LeafPlace[]) {
  let wanted: number[] = []
  let reading: Promise<Map<number, Uint8Array>> | undefined
  async function readWanted(): Promise<Map<number, Uint8Array>> {
    await Promise.resolve()
    const indexes = wanted
    wanted = []
    reading = undefined
    const places = indexes.map((index) => leaves[index] as LeafPlace)
    const bytes = await readLeaves(store, tenant, model, chunk, places)
    if (!bytes) throw new Outdated('a leaf was replaced')
    return new Map(indexes.map((index, at) => [index, bytes[at] as Uint8Array]))
  }
  return async (index: number): Promise<Uint8Array> => {
    wanted.push(index)
    return (await (reading ??= readWanted())).get(index) as Uint8Array
  }
}
