/**
 * The texts that are read again and again: who is asking, the configuration. LevelDB would look for each of them through all of
 * its levels every time, and rewrite files that are asked for too often in vain.
 */
export interface TextCache {
  get(key: string): string | undefined
  /** Keeps a text that was read; the first time only its key, for most of what is read once is not read again. */
  keep(key: string, text: string): void
  forget(key: string): void
}

/** Long texts are rarely the ones that everybody reads. */
const textLengthMax = 4096

/** Holds up to twice `generation` texts, and keys; what is not read for a whole generation of others goes. */
export function createTextCache(generation = 1000): TextCache {
  const texts = createGenerations<string>(generation)
  const asked = createGenerations<true>(generation)

  return {
    get: texts.get,
    keep(key, text) {
      if (text.length > textLengthMax) return
      if (asked.get(key)) texts.set(key, text)
      else asked.set(key, true)
    },
    forget: texts.delete,
  }
}

function createGenerations<T>(size: number) {
  let young = new Map<string, T>()
  let old = new Map<string, T>()

  function set(key: string, value: T): void {
    if (young.size >= size) {
      old = young
      young = new Map()
    }
    young.set(key, value)
  }

  return {
    set,
    get(key: string): T | undefined {
      const fresh = young.get(key)
      if (fresh !== undefined) return fresh
      const aged = old.get(key)
      if (aged !== undefined) set(key, aged)
      return aged
    },
    delete(key: string): void {
      young.delete(key)
      old.delete(key)
    },
  }
}
