/** Leaves of words in memory, by generation and number: they never change. */
export interface LeafCache {
  readonly bytes: number
  get(name: string): Uint8Array | undefined
  put(name: string, leaf: Uint8Array): void
  /** Lets the half go that was not used for the longest. Answers the bytes. */
  shrink(): number
}

/** What an entry takes beside its bytes. */
const entryBytes = 200

export function leafCache(): LeafCache {
  const leaves = new Map<string, Uint8Array>()
  let bytes = 0
  return {
    get bytes() {
      return bytes
    },
    get(name) {
      const leaf = leaves.get(name)
      if (!leaf) return undefined
      leaves.delete(name)
      leaves.set(name, leaf)
      return leaf
    },
    put(name, leaf) {
      if (leaves.has(name)) return
      leaves.set(name, leaf)
      bytes += leaf.length + entryBytes
    },
    shrink() {
      const before = bytes
      let left = Math.ceil(leaves.size / 2)
      for (const [name, leaf] of leaves) {
        if (left === 0) break
        left -= 1
        leaves.delete(name)
        bytes -= leaf.length + entryBytes
      }
      return before - bytes
    },
  }
}
