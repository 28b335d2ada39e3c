import type { Engine } from './engine.ts'

/** An engine that can be taken back to the state in which it was prepared. */
export interface ReusableEngine {
  readonly engine: Engine
  /** Undoes whatever a run did; false when that cannot be done any more, and the engine must be discarded. */
  reset(): boolean
}

const pageBytes = 4096
/** What the side of the engine in JavaScript remembers of each run is little; it goes with the engine. */
const resetsOfEngine = 1000

/**
 * Notes the memory of a prepared engine, most of which is empty. All that a script can reach is in it, so that an engine
 * whose memory is written back is as good as new, in a twentieth of the time. What a run left behind the end of that
 * memory no later run can read: so one engine serves the runs of one tenant only (docs/decisions/0017).
 */
export function makeReusable(engine: Engine): ReusableEngine {
  const { memory } = engine
  const size = memory.buffer.byteLength
  const { pages, end } = writtenPages(new Uint8Array(memory.buffer))
  let resets = 0
  return {
    engine,
    reset() {
      resets += 1
      if (memory.buffer.byteLength !== size || resets > resetsOfEngine) return false
      const bytes = new Uint8Array(memory.buffer)
      bytes.fill(0, 0, end)
      for (const { at, content } of pages) bytes.set(content, at)
      return true
    },
  }
}

/** The pages that are not empty, and where the last one ends. */
function writtenPages(bytes: Uint8Array): {
  readonly pages: readonly { readonly at: number; readonly content: Uint8Array }[]
  readonly end: number
} {
  const empty = new Uint8Array(pageBytes)
  const pages = []
  for (let at = 0; at < bytes.length; at += pageBytes) {
    const page = bytes.subarray(at, at + pageBytes)
    if (Buffer.compare(page, empty) !== 0) pages.push({ at, content: page.slice() })
  }
  return { pages, end: (pages.at(-1)?.at ?? 0) + pageBytes }
}
