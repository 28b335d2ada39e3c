import {
  blockPartition,
  columnLogPartition,
  columnLogSort,
  columnsPartition,
  foldKey,
  generationOf,
  manifestPartPrefix,
} from '../../../platform/store/keys/columns.ts'
import { type Key, keyOfItem } from '../../../platform/store/keys/key.ts'
import { readAll } from '../../../platform/store/ranges/read-all.ts'
import { blockKeys, leafKey, partBytes } from '../blocks.ts'
import { logHeadAttributes, readLogHead } from '../log-entry.ts'
import { type Manifest, manifestPartKeys, readManifest } from '../manifest.ts'
import { type FoldRow, readFolds } from './fold-row.ts'
import type { KeptTable } from './keeper-limits.ts'

/**
 * Removes what interrupted folds left: blocks that they made for nothing, or that they replaced. Call after a switch, which
 * makes sure that none of them can switch any more.
 *
 * The order of reading makes it safe beside other folds. First the keys that exist, then the folds in flight, then the
 * manifest: a key belongs to a fold that is still listed, or to one that has ended; the manifest then has it, or nobody.
 */
export async function removeLeftovers(kept: KeptTable, interrupted: readonly FoldRow[]): Promise<void> {
  const { store, tenant, model } = kept
  const chunks = new Set(interrupted.flatMap((fold) => fold.chunks))
  const found = await storedKeys(kept, [...chunks])
  const ended = new Set(interrupted.map(({ generation }) => generation))
  const underWay = (await readFolds(kept)).filter(({ generation }) => !ended.has(generation))
  const spared = new Set(underWay.map(({ generation }) => generation))
  const used = usedKeys(kept, await readManifest(store, tenant, model), chunks)
  const unused = found.filter((key) => !used.has(addressOf(key)) && !spared.has(generationOf(key)))
  await removeInTurn(
    kept,
    unused.map((key) => ({ key, bytes: partBytes })),
  )
  await store.writeMany(
    tenant,
    [],
    interrupted.map(({ generation }) => foldKey(tenant, model, generation)),
  )
}

const addressOf = ({ pk, sk }: Key): string => `${pk}\n${sk}`

/** The keys of all blocks of some chunks, and of all parts of manifests. */
async function storedKeys({ store, tenant, model }: KeptTable, chunks: readonly number[]): Promise<Key[]> {
  const attributes = ['pk', 'sk']
  const ranges = [
    { pk: columnsPartition(tenant, model), prefix: manifestPartPrefix, attributes },
    ...chunks.map((chunk) => ({ pk: blockPartition(tenant, model, chunk), attributes })),
  ]
  const keys: Key[] = []
  for (const range of ranges) keys.push(...(await readAll(store, tenant, range)).map(keyOfItem))
  return keys
}

/** The addresses of the manifest's blocks in some chunks, and of its own parts. */
function usedKeys(kept: KeptTable, manifest: Manifest, chunks: ReadonlySet<number>): Set<string> {
  const { tenant, model } = kept
  const used = new Set(manifestPartKeys(tenant, model, manifest).map(addressOf))
  for (const chunk of chunks) {
    for (const [column, places] of manifest.blocks) {
      const place = places.get(chunk)
      if (place) for (const key of blockKeys(tenant, model, { column, chunk }, place)) used.add(addressOf(key))
    }
    for (const leaf of manifest.words.get(chunk)?.leaves ?? []) used.add(addressOf(leafKey(tenant, model, chunk, leaf)))
  }
  return used
}

/** Removes the entries of a log up to `seq`. */
export async function removeEntries(kept: KeptTable, seq: number): Promise<void> {
  const { store, tenant, model } = kept
  const items = await readAll(store, tenant, {
    pk: columnLogPartition(tenant, model),
    to: columnLogSort(seq),
    attributes: logHeadAttributes,
  })
  let before = 0
  const entries = items.map((item) => {
    const { size } = readLogHead(item)
    const bytes = size - before
    before = size
    return { key: keyOfItem(item), bytes }
  })
  await removeInTurn(kept, entries)
}

/**
 * Blocks are written, and removed, about so many bytes at a time, which costs a partition one second of its units: each
 * call has its own few seconds to be retried while DynamoDB throttles.
 */
export const callBytes = 1024 * 1024
const callKeys = 100

/** A key and about how many bytes its item has. */
export interface SizedKey {
  readonly key: Key
  readonly bytes: number
}

/** Removes items, some at a time. */
export async function removeInTurn({ store, tenant }: KeptTable, items: readonly SizedKey[]): Promise<void> {
  for (let start = 0; start < items.length;) {
    let end = start
    for (let bytes = 0; end < items.length && end - start < callKeys && bytes < callBytes; end += 1)
      bytes += (items[end] as SizedKey).bytes
    await store.writeMany(
      tenant,
      [],
      items.slice(start, end).map(({ key }) => key),
    )
    start = end
  }
}
