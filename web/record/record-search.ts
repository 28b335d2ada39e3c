import { type Show, shows } from './conversation/shows.ts'

/** What the address of a record says beside the record. */
export interface RecordSearch {
  /** The view in which it was opened: the next record is taken from there. */
  readonly view?: number
  /** The part of the timeline that is shown; all of it when left out. */
  readonly show?: Show
}

/** Reads an address; what is not understood is left out. */
export const readRecordSearch = ({ view, show }: Record<string, unknown>): RecordSearch => ({
  ...(typeof view === 'number' && view > 0 && { view }),
  ...(shows.includes(show as Show) && show !== 'all' && { show: show as Show }),
})
