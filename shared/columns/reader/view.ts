import type { Item } from '../../store/marshal.ts'
import type { Vector } from '../vector/vector.ts'

/** The records of one chunk that a search found. */
export interface FoundInChunk {
  /** Positions, rising. */
  readonly positions: Uint16Array
  /** How well each matches: the sum of its words' weights. */
  readonly scores: Float64Array
}

/**
 * What one query sees of a table's columns, in step with the log and the latest changes. Its columns stay in memory
 * until `release`; rows that arrive meanwhile show, so an answer is checked against its records.
 */
export interface ColumnView {
  /** Records are in the chunks from 0 up to this one, excluded. */
  readonly chunks: number
  /** The greatest id that the columns know. */
  readonly last: number
  /** How many records live, as far as the columns know. */
  readonly live: number
  /** Loads the columns of a chunk unless they are in memory; undefined when there is nothing to wait for. */
  ready(chunk: number): Promise<void> | undefined
  /** For each position of a chunk 1 where a record lives, else 0; undefined when none lives. Not to be written. */
  alive(chunk: number): Uint8Array | undefined
  /** The values of a column; undefined when all are missing, or the column was not opened. */
  vector(column: string, chunk: number): Vector | undefined
  /** How many living records a chunk has. */
  liveIn(chunk: number): number
  /** Whether the column was left out because it is too large (see `longColumn`). */
  isLeftOut(column: string): boolean
  /** Versions of records that were read: newer ones than the columns know are applied, gone ones marked. */
  note(items: readonly (Item | undefined)[], ids: readonly number[]): void
  release(): void
}
