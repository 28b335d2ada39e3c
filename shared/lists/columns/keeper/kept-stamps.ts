import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Store } from '../../../platform/store/store.ts'
import { readBlocks, stampColumn } from '../blocks.ts'
import { chunkOf, positionOf } from '../chunk.ts'
import { stampOf } from '../log-entry.ts'
import { readManifest } from '../manifest.ts'
import { readLog } from '../reader/sync/read-log.ts'
import { decodeBlock } from '../vector/blocks/decode-block.ts'

/** A fold may replace blocks between two reads; so many in a row are no coincidence. */
const maxTries = 5

/**
 * The stamps of records as the keeper has stored them, undefined for an unknown record. Unlike a reader it
 * does not look at what changed last: what is missing here, the keeper missed.
 */
export async function keptStamps(
  store: Pick<Store, 'get' | 'getMany' | 'query'>,
  tenant: TenantRef,
  model: string,
  ids: readonly number[],
): Promise<(number | undefined)[]> {
  const chunks = [...new Set(ids.map(chunkOf))]
  for (let tries = 1; ; tries += 1) {
    const manifest = await readManifest(store, tenant, model)
    const [blocks, entries] = await Promise.all([
      readBlocks(
        store,
        tenant,
        model,
        manifest,
        chunks.map((chunk) => ({ column: stampColumn, chunk })),
      ),
      readLog(store, tenant, model, manifest.folded),
    ])
    const isWhole = (entries[0]?.seq ?? manifest.folded + 1) === manifest.folded + 1
    if (!blocks || !isWhole) {
      if (tries < maxTries) continue
      throw new Error(`the columns of ${model} were replaced while they were read`)
    }
    const vectors = new Map(
      chunks.map((chunk) => {
        const bytes = blocks.get(`${stampColumn}#${chunk}`)
        return [chunk, bytes && decodeBlock(bytes)] as const
      }),
    )
    const inLog = new Map<number, number>()
    for (const { rows } of entries)
      for (const row of rows()) inLog.set(row.id, Math.max(inLog.get(row.id) ?? 0, stampOf(row)))
    return ids.map((id) => {
      const inBlock = Number(vectors.get(chunkOf(id))?.get(positionOf(id)) ?? 0)
      return Math.max(inBlock, inLog.get(id) ?? 0) || undefined
    })
  }
}
