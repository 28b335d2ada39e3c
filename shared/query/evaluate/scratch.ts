/** Memory for the ids and the first sort keys of the records that a query selects. */
export interface Scratch {
  /** Room for so many ids; what was written before is kept. */
  ids(length: number): Uint32Array
  /** The same for keys. */
  keys(length: number): Float64Array
  /** Lets other queries have it. What it answered must not be used afterwards. */
  release(): void
}

/** Fresh memory costs more than what is written into it, so that of a few queries is kept. */
const maxFree = 2
const leastLength = 4096
const free: { ids: Uint32Array; keys: Float64Array }[] = []

export function takeScratch(): Scratch {
  let held = free.pop() ?? { ids: new Uint32Array(leastLength), keys: new Float64Array(leastLength) }
  return {
    ids(length) {
      if (length > held.ids.length) held = { ...held, ids: grown(held.ids, new Uint32Array(roomFor(length))) }
      return held.ids
    },
    keys(length) {
      if (length > held.keys.length) held = { ...held, keys: grown(held.keys, new Float64Array(roomFor(length))) }
      return held.keys
    },
    release() {
      if (free.length < maxFree) free.push(held)
    },
  }
}

const roomFor = (length: number): number => 2 ** Math.ceil(Math.log2(length))

function grown<A extends Uint32Array | Float64Array>(old: A, larger: A): A {
  larger.set(old)
  return larger
}
