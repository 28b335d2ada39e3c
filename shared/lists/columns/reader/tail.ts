import { type LogRow, stampOf } from '../log-entry.ts'
import { type ChunkStamps, stampAt } from './chunk-stamps.ts'

/** A row that the blocks of the manifest may not have. */
export interface TailRow {
  readonly row: LogRow
  /** The log entry it came with; Infinity when only the change slot, or a read of the record, told it. */
  seq: number
  /** Rises with each row that is applied. */
  readonly order: number
}

/** The newest rows since the manifest's fold, by chunk and position: for columns that are loaded later, and for search. */
export interface Tail {
  readonly chunks: Map<number, Map<number, TailRow>>
  size: number
  bytes: number
}

export const emptyTail = (): Tail => ({ chunks: new Map(), size: 0, bytes: 0 })

export const tailRowAt = (tail: Tail, chunk: number, position: number): TailRow | undefined =>
  tail.chunks.get(chunk)?.get(position)

/** Adds a row in place of an older one of the same record. */
export function putTailRow(tail: Tail, chunk: number, position: number, row: TailRow): void {
  const rows = tail.chunks.get(chunk) ?? new Map<number, TailRow>()
  if (rows.size === 0) tail.chunks.set(chunk, rows)
  const before = rows.get(position)
  if (before) tail.bytes -= rowBytes(before.row)
  else tail.size += 1
  tail.bytes += rowBytes(row.row)
  rows.set(position, row)
}

/** The rows that blocks do not have, after a fold up to an entry. `stamps`: those of all chunks with other blocks. */
export function prunedTail(tail: Tail, folded: number, stamps: ReadonlyMap<number, ChunkStamps>): Tail {
  const pruned = emptyTail()
  for (const [chunk, rows] of tail.chunks) {
    const own = stamps.get(chunk)
    for (const [position, row] of rows) {
      const isInBlocks = row.seq <= folded || stampAt(own, position) >= stampOf(row.row)
      if (!isInBlocks) putTailRow(pruned, chunk, position, row)
    }
  }
  return pruned
}

/** Roughly what a row takes in memory. */
function rowBytes({ values }: LogRow): number {
  let bytes = 300
  for (const [, value] of values) bytes += typeof value === 'string' ? 60 + value.length : 40
  return bytes
}
