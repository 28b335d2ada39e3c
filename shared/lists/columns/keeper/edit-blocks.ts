import { foldKey } from '../../../platform/store/keys/columns.ts'
import { keyOfItem } from '../../../platform/store/keys/key.ts'
import { atRevision, isNew } from '../../../platform/store/writes/conditions.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import { type BlockItem, blockItems, blockKeys, leafBytes, leafKey, sumBytes, type WantedBlock } from '../blocks.ts'
import { isLongColumn } from '../column-values.ts'
import {
  type BlockPlace,
  type ChunkWords,
  type LeafPlace,
  type Manifest,
  manifestItems,
  manifestPartKeys,
} from '../manifest.ts'
import { foldItem, foldLeaseMs, type FoldRow } from './fold-row.ts'
import type { KeptTable } from './keeper-limits.ts'
import { callBytes, removeEntries, removeInTurn, removeLeftovers, type SizedKey } from './remove-leftovers.ts'

/** The manifest was replaced meanwhile, or may be: the work is superseded. */
export class Outdated extends Error {}

/** New blocks beside those of a manifest, until `commit` switches to all of them at once. */
export type BlockEdits = Awaited<ReturnType<typeof editBlocks>>

/** A leaf after an edit: one of those before, or a new one. */
type NextLeaf = { readonly kept: number } | { readonly first: string; readonly bytes: Uint8Array }

/**
 * Begins to replace blocks in these chunks. Its row is written first: what a crash leaves is found by it. `others`:
 * the interrupted folds, whose blocks go after the switch.
 */
export async function editBlocks(
  kept: KeptTable,
  manifest: Manifest,
  changed: readonly number[],
  others: readonly FoldRow[],
) {
  const { store, clock, limits, tenant, model } = kept
  const generation = freshGeneration(kept, manifest, others)
  const blocks = new Map([...manifest.blocks].map(([column, places]) => [column, new Map(places)]))
  const words = new Map(manifest.words)
  const leftOut = new Set(manifest.leftOut)
  const made: SizedKey[] = []
  const replaced: SizedKey[] = []
  let chunks = changed
  let unwritten: BlockItem[] = []
  let unwrittenBytes = 0
  let seenAt = 0

  /** Shows that the work continues. Throws Outdated when it paused for so long that others do not wait any more. */
  async function showSign(): Promise<void> {
    const now = clock.now()
    if (now - seenAt > foldLeaseMs) throw new Outdated('the fold took too long')
    if (now - seenAt >= foldLeaseMs / 4) await writeRow()
  }

  async function writeRow(): Promise<void> {
    seenAt = clock.now()
    await store.write(tenant, { put: foldItem(kept, { generation, rev: manifest.rev, chunks, seenAt }) })
  }

  async function put(items: readonly BlockItem[]): Promise<void> {
    for (const item of items) {
      made.push({ key: keyOfItem(item), bytes: item.b.length })
      unwritten.push(item)
      unwrittenBytes += item.b.length
      if (unwrittenBytes >= callBytes) await flush()
    }
  }

  async function flush(): Promise<void> {
    const items = unwritten
    unwritten = []
    unwrittenBytes = 0
    await showSign()
    await store.putMany(tenant, items)
  }

  /** Puts a block in place of the one before; undefined for none: every value is missing. */
  async function replaceBlock(block: WantedBlock, bytes: Uint8Array | undefined): Promise<void> {
    const { column, chunk } = block
    const before = blocks.get(column)?.get(chunk)
    if (before) replaced.push(...sizedKeys(kept, block, before))
    if (!bytes) {
      blocks.get(column)?.delete(chunk)
      if (blocks.get(column)?.size === 0) blocks.delete(column)
      return
    }
    const items = blockItems(tenant, model, block, generation, bytes)
    let places = blocks.get(column)
    if (!places) blocks.set(column, (places = new Map()))
    places.set(chunk, [generation, items.length, bytes.length])
    await put(items)
  }

  /** Puts the leaves of a chunk in place of those before; undefined for none. */
  async function replaceWords(chunk: number, config: string, next: readonly NextLeaf[] | undefined): Promise<void> {
    const before = words.get(chunk)?.leaves ?? []
    const stay = new Set((next ?? []).flatMap((leaf) => ('kept' in leaf ? [leaf.kept] : [])))
    for (const [index, leaf] of before.entries())
      if (!stay.has(index)) replaced.push({ key: leafKey(tenant, model, chunk, leaf), bytes: leafBytes })
    if (!next) {
      words.delete(chunk)
      return
    }
    const leaves: LeafPlace[] = []
    for (const leaf of next) {
      if ('kept' in leaf) leaves.push(before[leaf.kept] as LeafPlace)
      else {
        const place: LeafPlace = [leaf.first, generation, leaves.length]
        leaves.push(place)
        await put([{ ...leafKey(tenant, model, chunk, place), kind: 'column-words', v: 1, b: leaf.bytes }])
      }
    }
    words.set(chunk, { config, leaves } satisfies ChunkWords)
  }

  async function leaveOutLongColumns(): Promise<void> {
    for (const [column, places] of blocks) {
      if (!isLongColumn(column) || sumBytes(places.values()) <= limits.longColumnBytes) continue
      leftOut.add(column)
      chunks = [...new Set([...chunks, ...places.keys()])]
      for (const chunk of places.keys()) await replaceBlock({ column, chunk }, undefined)
    }
  }

  /**
   * Switches to the new blocks, then removes what nobody needs any more: replaced blocks, what interrupted folds left,
   * and log entries up to the fold before, since readers in step may still want those folded now. False when somebody
   * else switched first; nothing of this edit is left then.
   */
  async function commit(folded: Pick<Manifest, 'folded' | 'n' | 'size' | 'checked' | 'live'>): Promise<boolean> {
    await leaveOutLongColumns()
    await flush()
    if (chunks.length > changed.length) await writeRow()
    const next: Manifest = { ...folded, rev: manifest.rev + 1, blocks, words, leftOut }
    const options = { generation, writeId: clock.uuid(), inlineBytes: limits.manifestBytes }
    const { item, parts } = manifestItems(tenant, model, next, options)
    made.push(...parts.map((part) => ({ key: keyOfItem(part), bytes: part.m.length })))
    await store.putMany(tenant, parts)
    await showSign()
    const isUnchanged = manifest.rev === 0 ? isNew : atRevision(manifest.rev)
    const isSwitched = await wasApplied(store.write(tenant, { put: item, if: isUnchanged }))
    if (!isSwitched) {
      await abandon()
      return false
    }
    await removeInTurn(kept, replaced)
    await store.writeMany(tenant, [], manifestPartKeys(tenant, model, manifest))
    if (next.folded > manifest.folded) await removeEntries(kept, manifest.folded)
    if (others.length > 0) await removeLeftovers(kept, others)
    await removeRow()
    return true
  }

  /** Removes everything that was made. Only for an edit that cannot be committed any more. */
  async function abandon(): Promise<void> {
    await removeInTurn(kept, made)
    await removeRow()
  }

  const removeRow = (): Promise<void> => store.writeMany(tenant, [], [foldKey(tenant, model, generation)])

  await writeRow()
  return { manifest, replaceBlock, replaceWords, showSign, commit, abandon }
}

/** Eight characters that no block of the manifest, and no other fold, has. */
function freshGeneration({ clock }: KeptTable, manifest: Manifest, others: readonly FoldRow[]): string {
  const taken = new Set(others.map(({ generation }) => generation))
  for (const places of manifest.blocks.values()) for (const [generation] of places.values()) taken.add(generation)
  for (const { leaves } of manifest.words.values()) for (const [, generation] of leaves) taken.add(generation)
  for (;;) {
    const generation = clock.uuid().slice(0, 8)
    if (!taken.has(generation)) return generation
  }
}

const sizedKeys = ({ tenant, model }: KeptTable, block: WantedBlock, place: BlockPlace): SizedKey[] => {
  const [, parts, bytes] = place
  return blockKeys(tenant, model, block, place).map((key) => ({ key, bytes: bytes / parts }))
}
