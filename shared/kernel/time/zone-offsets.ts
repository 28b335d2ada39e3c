import { lruMap } from '../collections/lru-map.ts'

const dayMs = 86_400_000
/** For so many time zones a process keeps the offsets of days. */
const maxKnownZones = 50
/** So many days, some fifty years, are kept for each. */
const maxKnownDays = 20_000

type OffsetAt = (moment: number) => number

const known = lruMap<string, OffsetAt>(maxKnownZones)

/**
 * By how many milliseconds the clocks of a time zone are ahead of UTC at a moment. The formatter that knows it takes a
 * microsecond and more, so the offset of each day is kept; on the days when it changes it is asked for each moment.
 */
export function offsetsOf(timeZone: string): OffsetAt {
  if (timeZone === 'UTC') return () => 0
  const found = known.get(timeZone) ?? openOffsets(timeZone)
  known.set(timeZone, found)
  return found
}

/** The moment at which the clocks of a zone show a time; one that they skip is as much later as they are put forward. */
export function momentInZone(localMs: number, timeZone: string): number {
  const offsetAt = offsetsOf(timeZone)
  return localMs - offsetAt(localMs - offsetAt(localMs))
}

function openOffsets(timeZone: string): OffsetAt {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  /** NaN for a day on which it changes. */
  const days = new Map<number, number>()

  function askedAt(moment: number): number {
    const parts = format.formatToParts(moment)
    const textOf = (type: string): string => parts.find((part) => part.type === type)?.value ?? ''
    const of = (type: string): number => Number(textOf(type))
    const shown = new Date(0)
    // Years before 1 are counted backwards.
    shown.setUTCFullYear(textOf('era').startsWith('B') ? 1 - of('year') : of('year'), of('month') - 1, of('day'))
    shown.setUTCHours(of('hour'), of('minute'), of('second'))
    return shown.getTime() - Math.floor(moment / 1000) * 1000
  }

  function offsetOfDay(day: number): number {
    const first = askedAt(day * dayMs)
    const offset = first === askedAt((day + 1) * dayMs - 1000) ? first : Number.NaN
    if (days.size >= maxKnownDays) days.clear()
    days.set(day, offset)
    return offset
  }

  return (moment) => {
    const day = Math.floor(moment / dayMs)
    const offset = days.get(day) ?? offsetOfDay(day)
    return Number.isNaN(offset) ? askedAt(moment) : offset
  }
}
