import { blockName, readBlocks } from '../blocks.ts'
import { decodeBlock } from '../vector/blocks/decode-block.ts'
import type { Vector } from '../vector/vector.ts'
import { type BlockEdits, Outdated } from './edit-blocks.ts'
import type { KeptTable } from './keeper-limits.ts'

/** Columns are read together up to so many bytes of blocks. */
const readBytes = 8 * 1024 * 1024

/**
 * Columns of a chunk as the manifest of an edit has them, one after the other: few are in memory at a time. Throws
 * Outdated when one was replaced meanwhile.
 */
export async function* readColumns(
  { store, tenant, model }: KeptTable,
  { manifest }: Pick<BlockEdits, 'manifest'>,
  chunk: number,
  columns: readonly string[],
): AsyncGenerator<readonly [column: string, vector: Vector | undefined], void, undefined> {
  const bytesOf = (column: string): number => manifest.blocks.get(column)?.get(chunk)?.[2] ?? 0
  for (let start = 0; start < columns.length;) {
    let end = start
    for (let bytes = 0; end < columns.length && (end === start || bytes < readBytes); end += 1)
      bytes += bytesOf(columns[end] as string)
    const wanted = columns.slice(start, end).map((column) => ({ column, chunk }))
    const blocks = await readBlocks(store, tenant, model, manifest, wanted)
    if (!blocks) throw new Outdated('a block was replaced')
    for (const one of wanted) {
      const block = blocks.get(blockName(one))
      blocks.delete(blockName(one))
      yield [one.column, block && decodeBlock(block)]
    }
    start = end
  }
}
