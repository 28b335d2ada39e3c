import { gzipSync } from 'node:zlib'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { columnManifestKey, manifestPartKey } from '../../platform/store/keys/columns.ts'
import type { Key } from '../../platform/store/keys/key.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { gunzipJson } from '../../platform/store/values/pack-json.ts'
import { type LogHead, noTimeTold } from './log-entry.ts'

/** Where one block is: the fold that made it, in how many items it is, and the bytes of all of them. */
export type BlockPlace = readonly [generation: string, parts: number, bytes: number]
/** Where one leaf of a chunk's words is, and its first word. */
export type LeafPlace = readonly [first: string, generation: string, number: number]

/** The words of one chunk. */
export interface ChunkWords {
  /** Identifies the searched fields that the words were made with. */
  readonly config: string
  /** In the order of their words. */
  readonly leaves: readonly LeafPlace[]
}

/** What the columns of one table consist of. One conditional write of the manifest switches all blocks at once. */
export interface Manifest {
  /** Rises by one with each switch; 0 before the first. */
  readonly rev: number
  /** The number of the log entry folded last. */
  readonly folded: number
  /** The rows and bytes of the log up to that entry. */
  readonly n: LogHead['n']
  readonly size: LogHead['size']
  /** The blocks have every change up to this moment (ISO), also those whose entry is on its way; '' for none. */
  readonly checked: string
  /** How many records live in the blocks. */
  readonly live: number
  /** Column to chunk to block. A block whose values are all missing does not exist. */
  readonly blocks: ReadonlyMap<string, ReadonlyMap<number, BlockPlace>>
  readonly words: ReadonlyMap<number, ChunkWords>
  /** Columns that have no blocks because they were too large. */
  readonly leftOut: ReadonlySet<string>
  /** How it is stored when it is not in one item. */
  readonly stored?: { readonly generation: string; readonly parts: number }
}

/** The manifest of a table whose log was never folded. */
export const emptyManifest: Manifest = {
  rev: 0,
  folded: 0,
  n: 0,
  size: 0,
  checked: '',
  live: 0,
  blocks: new Map(),
  words: new Map(),
  leftOut: new Set(),
}

/** The manifest as JSON. */
interface StoredManifest extends Pick<Manifest, 'rev' | 'folded' | 'n' | 'size' | 'checked' | 'live'> {
  readonly at: typeof noTimeTold
  readonly blocks: readonly (readonly [column: string, chunks: readonly (readonly [number, BlockPlace])[]])[]
  readonly words: readonly (readonly [number, ChunkWords])[]
  readonly leftOut: readonly string[]
}

/** One stored before folds looked for changes that were on their way: `at` is the newest change that it has. */
type OlderManifest = Omit<StoredManifest, 'checked' | 'at'> & { readonly checked?: string; readonly at?: string }

/** A longer manifest is stored in parts, written before the switch. */
const maxInlineBytes = 350 * 1024
const partBytes = 380 * 1024

/** The manifest's item, and the parts that must be written before it. `generation`: the fold that writes it. */
export function manifestItems(
  tenant: TenantRef,
  model: string,
  manifest: Manifest,
  { generation, writeId, inlineBytes = maxInlineBytes }: { generation: string; writeId: string; inlineBytes?: number },
): { readonly item: Item & Key; readonly parts: readonly (Item & Key & { readonly m: Uint8Array })[] } {
  const bytes = gzipSync(JSON.stringify(storedForm(manifest)))
  const common = {
    ...columnManifestKey(tenant, model),
    kind: 'column-manifest',
    v: 1,
    rev: manifest.rev,
    write_id: writeId,
  }
  if (bytes.length <= inlineBytes) return { item: { ...common, m: bytes }, parts: [] }
  const parts = cutIntoParts(bytes, partBytes).map((m, part) => ({
    ...manifestPartKey(tenant, model, generation, part),
    kind: 'column-manifest-part',
    v: 1,
    m,
  }))
  return { item: { ...common, generation, parts: parts.length }, parts }
}

/** Bytes in pieces of at most `size`, at least one piece. */
export function cutIntoParts(bytes: Uint8Array, size: number): Uint8Array[] {
  const parts: Uint8Array[] = []
  for (let start = 0; start === 0 || start < bytes.length; start += size)
    parts.push(bytes.subarray(start, start + size))
  return parts
}

const storedForm = ({ rev, folded, n, size, checked, live, blocks, words, leftOut }: Manifest): StoredManifest => ({
  rev,
  folded,
  n,
  size,
  checked,
  at: noTimeTold,
  live,
  blocks: [...blocks].map(([column, chunks]) => [column, [...chunks]]),
  words: [...words],
  leftOut: [...leftOut],
})

/** The manifest of a table's columns, strongly consistent. `known`: its item as it was read, null when there is none. */
export async function readManifest(
  store: Pick<Store, 'get' | 'getMany'>,
  tenant: TenantRef,
  model: string,
  known?: Item | null,
): Promise<Manifest> {
  let before: number | undefined
  for (let read = known; ; read = undefined) {
    const item = read === undefined ? await store.get(tenant, columnManifestKey(tenant, model)) : read
    if (!item) return emptyManifest
    const stored = storedIn(item)
    const bytes = stored ? await readParts(store, tenant, model, stored) : (item.m as Uint8Array)
    if (bytes) return { ...parse(bytes), ...(stored && { stored }) }
    // A switch removes the parts of the manifest before it.
    if (before === item.rev) throw new Error(`a part of the column manifest of ${model} is missing`)
    before = Number(item.rev)
  }
}

const storedIn = ({ generation, parts }: Item): Manifest['stored'] =>
  generation === undefined ? undefined : { generation: String(generation), parts: Number(parts) }

/** The keys of a manifest's parts; none when it is in one item. */
export const manifestPartKeys = (tenant: TenantRef, model: string, { stored }: Pick<Manifest, 'stored'>): Key[] =>
  Array.from({ length: stored?.parts ?? 0 }, (_, part) =>
    manifestPartKey(tenant, model, stored?.generation ?? '', part),
  )

async function readParts(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  model: string,
  stored: Manifest['stored'],
): Promise<Uint8Array | undefined> {
  const parts = await store.getMany(tenant, manifestPartKeys(tenant, model, { stored }))
  return parts.includes(undefined) ? undefined : Buffer.concat(parts.map((part) => part?.m as Uint8Array))
}

function parse(bytes: Uint8Array): Manifest {
  const { blocks, words, leftOut, rev, folded, n, size, live, checked, at = '' } = gunzipJson<OlderManifest>(bytes)
  return {
    rev,
    folded,
    n,
    size,
    live,
    checked: checked ?? at,
    blocks: new Map(blocks.map(([column, chunks]) => [column, new Map(chunks)])),
    words: new Map(words),
    leftOut: new Set(leftOut),
  }
}
