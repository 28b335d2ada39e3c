import { isoTime } from '../../../../kernel/time/clock.ts'

/** A process knows of all changes older than this before the newest it saw: index entries of a moment come in any order. */
const overlapMs = 1_000
/**
 * Now and then it looks further back, for index entries that came late and for writers whose clock is behind. What is
 * older than this when a sync begins was visible to the sync before, also if nothing was written for long.
 */
const deepOverlapMs = 10_000
const deepEveryMs = 5_000
/**
 * A process that begins, or slept, relies on the log up to this before its newest entry: changes come into the log in
 * any order, and one that failed is tried again within this time. A keeper that is far behind is covered all the same,
 * because its newest entry is as old.
 */
const coldOverlapMs = 60_000
/** A process that was not in step for so long looks at the log before it asks for changes: it may have most of them. */
const sleptMs = 60_000

/** From when on a process has to ask the change slot. */
export interface PollWindow {
  /** Whether the log has to be followed first: its newest entry tells from when on to ask. */
  isBehind(now: number): boolean
  /** The moment (ISO) to ask from; the empty text for everything. `entryAt`: the time of the log's newest entry. */
  since(now: number, entryAt: string | undefined): string
  /** Notes that all changes up to `newest` (ISO) are known, as asked at `now`. */
  noteComplete(now: number, newest: string): void
}

export function pollWindow(): PollWindow {
  /** The newest time of a change that was seen; no clock of a writer makes it later than ours. */
  let newestMs = Number.NEGATIVE_INFINITY
  let completeAt = Number.NEGATIVE_INFINITY
  let deepAt = Number.NEGATIVE_INFINITY
  let isDeep = false

  const isBehind = (now: number): boolean => now - completeAt >= sleptMs

  return {
    isBehind,
    since(now, entryAt) {
      isDeep = now - deepAt >= deepEveryMs
      let from = newestMs - (isDeep ? deepOverlapMs : overlapMs)
      if (!isBehind(now)) from = Math.max(from, completeAt - deepOverlapMs)
      else if (entryAt) from = Math.max(from, Date.parse(entryAt) - coldOverlapMs)
      return from === Number.NEGATIVE_INFINITY ? '' : isoTime(from)
    },
    noteComplete(now, newest) {
      completeAt = now
      if (isDeep) deepAt = now
      if (newest !== '') newestMs = Math.max(newestMs, Math.min(Date.parse(newest), now))
    },
  }
}
