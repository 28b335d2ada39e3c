import { isLiving, readRecordHead } from '../../../platform/store/rows/record-row.ts'
import type { NamedFields } from '../../../platform/store/rows/stored-names.ts'
import type { SearchedTable } from '../../search/words-of.ts'
import { chunkOf, positionOf } from '../chunk.ts'
import { storedColumn } from '../column-values.ts'
import { stampOf } from '../log-entry.ts'
import { goneRow, readableRow } from '../row-of-record.ts'
import { type ColumnTable, type Pin, type ReaderDependencies, stateOfTable } from './column-table.ts'
import { missingCells, moveWindow } from './memory/load-columns.ts'
import { searchWords } from './search-words.ts'
import { applyRow, chunkCount, liveCount, stampOfId, type TableState } from './table-state.ts'
import { tailRowAt } from './tail.ts'
import type { ColumnView } from './view.ts'

/** A view of a table that is in step and has loaded the columns of the pin, or none when it has a window. */
export function columnView(
  readers: ReaderDependencies,
  table: ColumnTable,
  pin: Pin,
  words: SearchedTable | undefined,
  fields: NamedFields,
): ColumnView {
  let state = stateOfTable(table)
  const openedAt = state.applied

  const isHere = (chunk: number): boolean =>
    state === table.state && missingCells(state, pin, { from: chunk, to: chunk }).length === 0

  async function move(chunk: number): Promise<void> {
    do {
      await moveWindow(readers, table, pin, chunk)
      state = stateOfTable(table)
    } while (!isHere(chunk))
  }

  return {
    get chunks() {
      return chunkCount(state)
    },
    get last() {
      return state.last
    },
    get live() {
      return liveCount(state)
    },
    get isWhole() {
      return pin.window === undefined
    },
    ready(chunk) {
      const { window } = pin
      if (!window) return undefined
      const isInWindow = chunk >= window.from && chunk <= window.to
      return isInWindow && isHere(chunk) ? undefined : move(chunk)
    },
    alive(chunk) {
      const known = state.chunks.get(chunk)
      return known && known.live > 0 ? known.alive : undefined
    },
    stamps: (chunk) => state.chunks.get(chunk)?.stamps,
    vector(name, chunk) {
      const column = storedColumn(fields, name)
      return pin.columns.has(column) ? state.columns.get(column)?.cells.get(chunk) : undefined
    },
    liveIn: (chunk) => state.chunks.get(chunk)?.live ?? 0,
    isLeftOut: (column) => state.manifest.leftOut.has(storedColumn(fields, column)),
    search(terms, heard) {
      if (!words) throw new Error(`the view of ${table.model} was opened without words to search`)
      return searchWords(readers, table, words, terms, heard)
    },
    note(items, ids) {
      for (const [index, id] of ids.entries()) noteRecord(stateOfTable(table), items[index], id, openedAt)
    },
    release() {
      table.pins.delete(pin)
    },
  }
}

/** Applies a record that was read after the state had applied `since` rows. */
function noteRecord(state: TableState, item: Parameters<typeof readableRow>[0] | undefined, id: number, since: number) {
  const stamp = stampOfId(state, id)
  if (item) {
    // Mostly the columns know it: its values need not be read.
    if (stampOf({ version: readRecordHead(item).version, isGone: !isLiving(item) }) > stamp)
      applyRow(state, readableRow(item), Infinity)
    return
  }
  if (stamp === 0 || stamp % 2 === 1) return
  // What was told since the view was opened may be newer than the read: the record may have been restored.
  const told = tailRowAt(state.tail, chunkOf(id), positionOf(id))
  if (!told || told.order <= since) applyRow(state, goneRow(id, stamp / 2), Infinity)
}
