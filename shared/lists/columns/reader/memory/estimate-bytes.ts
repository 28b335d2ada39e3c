import type { WantedBlock } from '../../blocks.ts'
import { chunkIds } from '../../chunk.ts'
import type { Manifest } from '../../manifest.ts'

/** The stored bytes of a block; 0 when there is none. */
export const blockBytes = ({ column, chunk }: WantedBlock, manifest: Manifest): number =>
  manifest.blocks.get(column)?.get(chunk)?.[2] ?? 0

/** Roughly what the vectors of blocks take: blocks are compressed, and small ones have a byte for each id. */
export function estimatedBytes(cells: readonly WantedBlock[], manifest: Manifest): number {
  let bytes = 0
  for (const cell of cells) {
    const stored = blockBytes(cell, manifest)
    if (stored > 0) bytes += Math.max(chunkIds, 3 * stored)
  }
  return bytes
}
