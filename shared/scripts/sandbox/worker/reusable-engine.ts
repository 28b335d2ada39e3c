import { type Engine, stackBytes } from './engine.ts'

/** An engine that can be taken back to the state in which it was prepared. */
export interface ReusableEngine {
  readonly engine: Engine
  /** Undoes whatever a run did; false when that cannot be done any more, and the engine must be discarded. */
  reset(): boolean
}

const pageBytes = 4096
const blockBytes = 64 * pageBytes
const empty = new Uint8Array(blockBytes)
/** QuickJS stops a script that uses more than half of it. */
const maxStackBytes = 2 * stackBytes
/** What the side of the engine in JavaScript remembers of each run is little; it goes with the engine. */
const resetsOfEngine = 1000

/**
 * Notes the memory of a prepared engine, most of which is empty. All that a script can reach is in it, so that an engine
 * whose memory is written back is as good as new, in a twentieth of the time. What a run left behind the end of that
 * memory, or deep in the stack, no later run can read: so one engine serves the runs of one tenant only (docs/decisions/0017).
 */
export function makeReusable(engine: Engine): ReusableEngine {
  const { memory } = engine
  const size = memory.buffer.byteLength
  const { pages, gap, end } = writtenPages(new Uint8Array(memory.buffer))
  // The largest empty part is the stack, of which a run uses the end.
  const stackFrom = Math.max(gap.from, gap.to - maxStackBytes)
  let resets = 0
  return {
    engine,
    reset() {
      resets += 1
      if (memory.buffer.byteLength !== size || resets > resetsOfEngine) return false
      const bytes = new Uint8Array(memory.buffer)
      bytes.fill(0, 0, gap.from)
      bytes.fill(0, stackFrom, end)
      for (const { at, content } of pages) bytes.set(content, at)
      return true
    },
  }
}

/** The pages that are not empty, the largest gap between them, and where the last one ends. Most of the memory is empty, and compared in large blocks. */
function writtenPages(bytes: Uint8Array): {
  readonly pages: readonly { readonly at: number; readonly content: Uint8Array }[]
  readonly gap: { readonly from: number; readonly to: number }
  readonly end: number
} {
  const pages: { at: number; content: Uint8Array }[] = []
  const isEmpty = (at: number, size: number): boolean =>
    Buffer.compare(bytes.subarray(at, at + size), empty.subarray(0, size)) === 0
  for (let block = 0; block < bytes.length; block += blockBytes) {
    if (isEmpty(block, Math.min(blockBytes, bytes.length - block))) continue
    for (let at = block; at < Math.min(block + blockBytes, bytes.length); at += pageBytes)
      if (!isEmpty(at, pageBytes)) pages.push({ at, content: bytes.slice(at, at + pageBytes) })
  }
  const gaps = pages.slice(1).map(({ at }, index) => ({ from: (pages[index]?.at ?? 0) + pageBytes, to: at }))
  const gap = gaps.reduce((most, one) => (one.to - one.from > most.to - most.from ? one : most), { from: 0, to: 0 })
  return { pages, gap, end: (pages.at(-1)?.at ?? 0) + pageBytes }
}
