/** Memory for the ids and the first sort keys of the records that a query selects. */
export interface Scratch {
  /**
   * Await what it answers before using room for so many: only a few evaluations at a time may be large. `written`: how
   * many were written so far.
   */
  turnFor(length: number, written: number): Promise<void> | undefined
  /** Room for so many ids; what was written before is kept. */
  ids(length: number): Uint32Array
  /** The same for keys. */
  keys(length: number): Float64Array
  /** Lets other queries have it. What it answered must not be used afterwards. */
  release(): void
}

interface Arrays {
  readonly ids: Uint32Array
  readonly keys: Float64Array
}

const leastLength = 4096
/** Queries that select more records than this are queued: they take turns, in the order in which they ask. */
const maxWithoutTurn = 65_536
/** While one waits for the records of its page, another one computes. */
const maxLargeBuffers = 2
/** Fresh memory costs more than what is written into it, so some is kept: that of the large ones, and of a few others. */
const maxFreeBytes = 8 * 1024 * 1024
/** What a list of a million records takes; more is not kept. */
const maxKeptBytes = 16 * 1024 * 1024

const freeSmall: Arrays[] = []
const freeLarge: Arrays[] = []
const waiting: (() => void)[] = []
let freeBytes = 0
let large = 0

export function takeScratch(): Scratch {
  let held = takeSmall()
  let isLarge = false

  async function becomeLarge(written: number): Promise<void> {
    isLarge = true
    if (large < maxLargeBuffers) large += 1
    // Who releases hands its place on.
    else await new Promise<void>((resolve) => waiting.push(resolve))
    const small = held
    held = freeLarge.pop() ?? small
    if (held === small) return
    ids(written).set(small.ids.subarray(0, written))
    keys(written).set(small.keys.subarray(0, written))
    giveSmall(small)
  }

  function ids(length: number): Uint32Array {
    if (length > held.ids.length) held = { ...held, ids: grown(held.ids, new Uint32Array(roomFor(length))) }
    return held.ids
  }

  function keys(length: number): Float64Array {
    if (length > held.keys.length) held = { ...held, keys: grown(held.keys, new Float64Array(roomFor(length))) }
    return held.keys
  }

  return {
    turnFor: (length, written) => (length > maxWithoutTurn && !isLarge ? becomeLarge(written) : undefined),
    ids,
    keys,
    release() {
      if (!isLarge) return giveSmall(held)
      if (bytesOf(held) <= maxKeptBytes) freeLarge.push(held)
      const next = waiting.shift()
      if (next) next()
      else large -= 1
    },
  }
}

function takeSmall(): Arrays {
  const kept = freeSmall.pop()
  if (!kept) return { ids: new Uint32Array(leastLength), keys: new Float64Array(leastLength) }
  freeBytes -= bytesOf(kept)
  return kept
}

function giveSmall(arrays: Arrays): void {
  if (freeBytes + bytesOf(arrays) > maxFreeBytes) return
  freeSmall.push(arrays)
  freeBytes += bytesOf(arrays)
}

const bytesOf = ({ ids, keys }: Arrays): number => ids.byteLength + keys.byteLength

const roomFor = (length: number): number => 2 ** Math.ceil(Math.log2(length))

function grown<A extends Uint32Array | Float64Array>(old: A, larger: A): A {
  larger.set(old)
  return larger
}
