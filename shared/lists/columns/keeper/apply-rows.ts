import { giveWay } from '../../../kernel/runtime/give-way.ts'
import type { SearchedTable } from '../../search/words-of.ts'
import { stampColumn } from '../blocks.ts'
import { positionOf } from '../chunk.ts'
import { isLivingStamp, type LogRow, stampOf } from '../log-entry.ts'
import { columnsOfRows, valueIn } from '../row-values.ts'
import type { Value } from '../scalar.ts'
import { encodeBlock } from '../vector/blocks/encode-block.ts'
import { NumbersVector } from '../vector/numbers.ts'
import { setValue } from '../vector/set-value.ts'
import { vectorOf } from '../vector/vector-of.ts'
import { valuesOf, type Vector } from '../vector/vector.ts'
import { changeChunkWords, createSearchedColumns } from './chunk-words.ts'
import type { BlockEdits } from './edit-blocks.ts'
import type { KeptTable } from './keeper-limits.ts'
import { readColumns } from './read-columns.ts'

/** So many changed values in a vector of this many times fewer make it worth to make the vector anew, unless it has numbers. */
const manyChanges = 8

/**
 * Makes the blocks of a chunk anew whose values the rows change. Rows have one id each; those that the chunk knows a
 * newer state of are ignored. Answers by how much the number of living records grew. Throws Outdated.
 */
export async function applyRows(
  kept: KeptTable,
  edits: BlockEdits,
  chunk: number,
  rows: readonly LogRow[],
  table: SearchedTable | undefined,
): Promise<number> {
  const { blocks, leftOut } = edits.manifest
  const columns = new Set([stampColumn, ...columnsOfRows(rows)])
  for (const [column, places] of blocks) if (places.has(chunk)) columns.add(column)
  for (const column of leftOut) columns.delete(column)
  const searched = createSearchedColumns(table)
  let newer: readonly LogRow[] = []
  let growth = 0
  for await (const [column, vector] of readColumns(kept, edits, chunk, [...columns])) {
    if (column === stampColumn) {
      newer = rows.filter((row) => stampOf(row) > (knownStamp(vector, row) ?? -1))
      if (newer.length === 0) return 0
      for (const row of newer) growth += Number(!row.isGone) - Number(isLivingStamp(knownStamp(vector, row)))
    }
    const valueOf = column === stampColumn ? stampOf : (row: LogRow) => valueIn(row, column)
    searched.keepBefore(column, vector, newer)
    const change = changeVector(vector, newer, valueOf)
    if (change.isChanged) await edits.replaceBlock({ column, chunk }, change.vector && encodeBlock(change.vector))
    searched.keepAfter(column, change.vector)
    // One column may take some ms, and requests are served beside a fold.
    await giveWay()
  }
  await changeChunkWords(kept, edits, chunk, newer, searched)
  return growth
}

const knownStamp = (stamps: Vector | undefined, { id }: LogRow): number | undefined => {
  const stamp = stamps?.get(positionOf(id))
  return typeof stamp === 'number' ? stamp : undefined
}

/** Sets the values of rows; a vector without any value becomes undefined. */
function changeVector(
  vector: Vector | undefined,
  rows: readonly LogRow[],
  valueOf: (row: LogRow) => Value,
): { readonly isChanged: boolean; readonly vector: Vector | undefined } {
  const changes: [position: number, value: Value][] = []
  let isSet = false
  for (const row of rows) {
    const [position, value] = [positionOf(row.id), valueOf(row)]
    if (isSame(vector?.get(position) ?? null, value)) continue
    changes.push([position, value])
    if (value !== null) isSet = true
  }
  if (changes.length === 0) return { isChanged: false, vector }
  const isMadeAnew = !(vector instanceof NumbersVector) && changes.length * manyChanges > (vector?.length ?? 0)
  const changed = isMadeAnew ? remake(vector, changes) : set(vector, changes)
  return { isChanged: true, vector: isSet || hasValue(changed) ? changed : undefined }
}

function set(vector: Vector | undefined, changes: readonly (readonly [number, Value])[]): Vector | undefined {
  let changed = vector
  for (const [position, value] of changes) changed = setValue(changed, position, value)
  return changed
}

function remake(vector: Vector | undefined, changes: readonly (readonly [number, Value])[]): Vector | undefined {
  const values = vector ? valuesOf(vector) : []
  for (const [position, value] of changes) {
    while (values.length < position) values.push(null)
    values[position] = value
  }
  return vectorOf(values)
}

function hasValue(vector: Vector | undefined): boolean {
  for (let position = 0; position < (vector?.length ?? 0); position += 1) {
    if (vector?.get(position) !== null) return true
  }
  return false
}

function isSame(one: Value, other: Value): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other
  return one.length === other.length && one.every((value, index) => value === other[index])
}
