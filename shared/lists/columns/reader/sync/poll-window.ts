import { isoTime } from '../../../../kernel/time/clock.ts'

/**
 * A process knows of all changes older than this before the newest it saw: index entries come in any order, some 2 s
 * late, and a change has its time a moment before it is written.
 */
const overlapMs = 3_000
/**
 * Now and then it looks further back, for index entries that came late and for writers whose clock is behind. What is
 * older than this when a sync begins was visible to the sync before, also if nothing was written for long.
 */
const deepOverlapMs = 10_000
const deepEveryMs = 5_000
/** A process that was not in step for so long reads the manifest, whose blocks may have most of the changes. */
const sleptMs = 60_000

/** From when on a process has to ask the change slot. */
export interface PollWindow {
  /**
   * The moment (ISO) to ask from; the empty text for everything. `checked`: up to when the blocks that are read have
   * every change, the empty text when that is not known. Which changes the log has is not known: they come into it in any
   * order, and one that failed may come much later.
   */
  since(now: number, checked: string): string
  /** Notes that all changes up to `newest` (ISO) are known, as asked at `now`. */
  noteComplete(now: number, newest: string): void
}

export function pollWindow(): PollWindow {
  /** The newest time of a change that was seen; no clock of a writer makes it later than ours. */
  let newestMs = Number.NEGATIVE_INFINITY
  let completeAt = Number.NEGATIVE_INFINITY
  let deepAt = Number.NEGATIVE_INFINITY
  let isDeep = false

  return {
    since(now, checked) {
      isDeep = now - deepAt >= deepEveryMs
      let from = newestMs - (isDeep ? deepOverlapMs : overlapMs)
      if (now - completeAt < sleptMs) from = Math.max(from, completeAt - deepOverlapMs)
      else if (checked) from = Math.max(from, Date.parse(checked))
      return from === Number.NEGATIVE_INFINITY ? '' : isoTime(from)
    },
    noteComplete(now, newest) {
      completeAt = now
      if (isDeep) deepAt = now
      if (newest !== '') newestMs = Math.max(newestMs, Math.min(Date.parse(newest), now))
    },
  }
}
