/**
 * A cache of texts that every request reads: accounts, configuration. LevelDB would search all of its levels each
 * time, and compact files that are read often without a hit.
 */
export interface TextCache {
  get(key: string): string | undefined
  /** Offers a text that was read. It is kept from the second time on: most texts are read once. */
  keep(key: string, text: string): void
  forget(key: string): void
}

/** Longer texts are rarely read by every request. */
const maxTextLength = 4096

/** Holds up to twice `generation` texts, and as many keys. What is not read within a generation is dropped. */
export function createTextCache(generation = 1000): TextCache {
  const texts = createGenerations<string>(generation)
  const asked = createGenerations<true>(generation)

  return {
    get: texts.get,
    keep(key, text) {
      if (text.length > maxTextLength) return
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
