import type { Item } from '../../../platform/store/values/marshal.ts'
import type { Heard } from '../../search/said.ts'
import type { FoundInChunk } from '../../search/score-chunk.ts'
import type { Term } from '../../search/terms.ts'
import type { Vector } from '../vector/vector.ts'

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
  /** Whether all columns are in memory, so that there is never anything to wait for. */
  readonly isWhole: boolean
  /**
   * Loads the columns of a chunk unless they are in memory; undefined when there is nothing to wait for. The vectors of a
   * chunk may be let go at the next call for another one, so that a view is asked for one chunk at a time.
   */
  ready(chunk: number): Promise<void> | undefined
  /** For each position of a chunk 1 where a record lives, else 0; undefined when none lives. Not to be written. */
  alive(chunk: number): Uint8Array | undefined
  /** The values of a column; undefined when all are missing, or the column was not opened. */
  vector(column: string, chunk: number): Vector | undefined
  /** The stamps of a chunk (version × 2 + 1 if gone) by position; undefined when it never had a record. */
  stamps(chunk: number): Uint32Array | undefined
  /** How many living records a chunk has. */
  liveIn(chunk: number): number
  /** Whether the column was left out because it is too large (see `longColumn`). */
  isLeftOut(column: string): boolean
  /**
   * The records that have every term, as far as the columns know, or as was `heard` about them; ask for each chunk. Records
   * that are gone may be among them. Only for a view that was opened with `words`.
   */
  search(terms: readonly Term[], heard?: Heard): Promise<(chunk: number) => FoundInChunk | undefined>
  /**
   * Takes note of records that were read strongly consistent since the view was opened (undefined: not there): newer
   * versions than the columns know are applied, and records that are not there any more are gone.
   */
  note(items: readonly (Item | undefined)[], ids: readonly number[]): void
  /** Lets others have the memory. The view must not be used afterwards. */
  release(): void
}
