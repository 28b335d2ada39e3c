/**
 * The texts that are read again and again: who is asking, the configuration. LevelDB would look for each of them through all of
 * its levels every time, and rewrite files that are asked for too often in vain.
 */
export interface TextCache {
  get(key: string): string | undefined
  keep(key: string, text: string): void
  forget(key: string): void
}

/** Long texts are rarely the ones that everybody reads. */
const textLengthAtMost = 4096

/** Holds up to twice `generation` texts; what is not read for a whole generation of others goes. */
export function createTextCache(generation = 1000): TextCache {
  let young = new Map<string, string>()
  let old = new Map<string, string>()

  function keep(key: string, text: string): void {
    if (text.length > textLengthAtMost) return
    if (young.size >= generation) {
      old = young
      young = new Map()
    }
    young.set(key, text)
  }

  return {
    get(key) {
      const fresh = young.get(key)
      if (fresh !== undefined) return fresh
      const aged = old.get(key)
      if (aged !== undefined) keep(key, aged)
      return aged
    },
    keep,
    forget(key) {
      young.delete(key)
      old.delete(key)
    },
  }
}
