import type { TenantRef } from '../../kernel/tenancy.ts'
import { blockKey } from '../../platform/store/keys/columns.ts'
import type { Key } from '../../platform/store/keys/key.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { type BlockPlace, cutIntoParts, type LeafPlace, type Manifest } from './manifest.ts'

/** The column of stamps: every chunk in which a record ever was has it. */
export const stampColumn = '#v'
/** The leaves of a chunk's words are blocks of this column. */
export const wordColumn = '~'

/** One block, by what it holds. */
export interface WantedBlock {
  readonly column: string
  readonly chunk: number
}
/** The name of a block in the answer of `readBlocks`. */
export const blockName = ({ column, chunk }: WantedBlock): string => `${column}#${chunk}`

/** DynamoDB allows 400 KB an item, keys and names included. */
export const partBytes = 380 * 1024
/** DynamoDB answers at most 16 MB and 100 items a call, and leaves the others unread. */
const maxCallBytes = 12 * 1024 * 1024
export const maxCallKeys = 100

/** About how many bytes a leaf of words has. */
export const leafBytes = 12 * 1024

export type BlockItem = Item & Key & { readonly b: Uint8Array }

/** The items of a block. */
export const blockItems = (
  tenant: TenantRef,
  model: string,
  { column, chunk }: WantedBlock,
  generation: string,
  bytes: Uint8Array,
): BlockItem[] =>
  cutIntoParts(bytes, partBytes).map((b, part) => ({
    ...blockKey(tenant, model, chunk, column, generation, part),
    kind: 'column-block',
    v: 1,
    b,
  }))

/** The keys of a block's items, in their order. */
export const blockKeys = (
  tenant: TenantRef,
  model: string,
  { column, chunk }: WantedBlock,
  [generation, parts]: BlockPlace,
): Key[] => Array.from({ length: parts }, (_, part) => blockKey(tenant, model, chunk, column, generation, part))

/** The key of one leaf of a chunk's words. */
export const leafKey = (tenant: TenantRef, model: string, chunk: number, [, generation, number]: LeafPlace): Key =>
  blockKey(tenant, model, chunk, wordColumn, generation, number)

/** The bytes of several blocks. */
export function sumBytes(places: Iterable<BlockPlace>): number {
  let sum = 0
  for (const [, , bytes] of places) sum += bytes
  return sum
}

/**
 * The bytes of blocks by `blockName`; those that the manifest does not have are left out. Undefined when a block is
 * not there any more: the manifest was replaced meanwhile.
 */
export async function readBlocks(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  model: string,
  manifest: Manifest,
  wanted: readonly WantedBlock[],
): Promise<Map<string, Uint8Array> | undefined> {
  const blocks = wanted.flatMap((one) => {
    const place = manifest.blocks.get(one.column)?.get(one.chunk)
    return place ? [{ name: blockName(one), place, keys: blockKeys(tenant, model, one, place) }] : []
  })
  const items = await readImmutable(
    store,
    tenant,
    blocks.flatMap(({ keys, place: [, parts, bytes] }) => keys.map((key) => ({ key, bytes: bytes / parts }))),
  )
  if (!items) return undefined
  let at = 0
  return new Map(
    blocks.map(({ name, keys }) => {
      const parts = items.slice(at, (at += keys.length)).map(({ b }) => b as Uint8Array)
      return [name, parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts)]
    }),
  )
}

/** Items that never change, in the order of their keys; undefined when one of them does not exist. */
export async function readImmutable(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  wanted: readonly { readonly key: Key; readonly bytes: number }[],
): Promise<Item[] | undefined> {
  const groups: Key[][] = []
  let group: Key[] = []
  let groupBytes = 0
  for (const { key, bytes } of wanted) {
    if (group.length === 0 || group.length === maxCallKeys || groupBytes + bytes > maxCallBytes) {
      groups.push((group = []))
      groupBytes = 0
    }
    group.push(key)
    groupBytes += bytes
  }
  const answers = await Promise.all(groups.map((keys) => readOnce(store, tenant, keys)))
  return answers.some((answer) => answer === undefined) ? undefined : (answers as Item[][]).flat()
}

/** What never changes is read eventually consistent, for half the price, unless it was made this very moment. */
async function readOnce(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  keys: readonly Key[],
): Promise<Item[] | undefined> {
  let items = await store.getMany(tenant, keys, undefined, { consistent: false })
  if (items.includes(undefined)) items = await store.getMany(tenant, keys)
  return items.includes(undefined) ? undefined : (items as Item[])
}

/** The bytes of leaves, in their order; undefined when one is not there any more. */
export async function readLeaves(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  model: string,
  chunk: number,
  leaves: readonly LeafPlace[],
): Promise<Uint8Array[] | undefined> {
  const keys = leaves.map((leaf) => ({ key: leafKey(tenant, model, chunk, leaf), bytes: 0 }))
  return (await readImmutable(store, tenant, keys))?.map(({ b }) => b as Uint8Array)
}
