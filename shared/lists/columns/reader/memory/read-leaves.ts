import { leafKey, readImmutable } from '../../blocks.ts'
import type { LeafPlace } from '../../manifest.ts'
import type { ColumnTable, ReaderDependencies } from '../column-table.ts'

const maxLeafBytes = 24 * 1024

/** One leaf, by what the manifest says of it. */
export interface WantedLeaf {
  readonly chunk: number
  readonly place: LeafPlace
}
export const leafName = ({ chunk, place: [, generation, number] }: WantedLeaf): string =>
  `${chunk}#${generation}#${number}`

/**
 * Leaves by their name, from memory or in one batch. Undefined when one is not there any more: a fold replaced the
 * manifest meanwhile.
 */
export async function readLeaves(
  { store }: ReaderDependencies,
  { tenant, model, leaves }: ColumnTable,
  wanted: readonly WantedLeaf[],
): Promise<Map<string, Uint8Array> | undefined> {
  const found = new Map<string, Uint8Array>()
  const missing = new Map<string, WantedLeaf>()
  for (const leaf of wanted) {
    const name = leafName(leaf)
    const known = leaves.get(name)
    if (known) found.set(name, known)
    else missing.set(name, leaf)
  }
  const places = [...missing.values()].map(({ chunk, place }) => ({
    key: leafKey(tenant, model, chunk, place),
    bytes: maxLeafBytes,
  }))
  const items = await readImmutable(store, tenant, places)
  if (!items) return undefined
  for (const [index, name] of [...missing.keys()].entries()) {
    const bytes = items[index]?.b as Uint8Array
    found.set(name, bytes)
    leaves.put(name, bytes)
  }
  return found
}
