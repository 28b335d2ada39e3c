import { bellSort } from '../../platform/store/keys/messages/bell.ts'

/** A notification is kept until the end of the ninetieth day (UTC) after the one on which it was made. */
const keptDays = 90
const dayMs = 24 * 60 * 60 * 1000
/** Ids of notifications are microseconds. */
const idsPerDay = dayMs * 1000

/** The number of a day (UTC) since 1970. */
export const dayOf = (atMs: number): number => Math.floor(atMs / dayMs)
export const dayOfId = (id: number): number => Math.floor(id / idsPerDay)
/** Whether notifications of this day are still kept. */
export const isKept = (day: number, today: number): boolean => day >= today - keptDays

/** When a notification made at this time is removed (Unix seconds). */
export const expiresAtSeconds = (atMs: number): number => ((dayOf(atMs) + keptDays + 1) * dayMs) / 1000

/** The sort keys of the notifications of some days, the last one included. */
export const sortsOfDays = (firstDay: number, lastDay: number): { readonly from: string; readonly to: string } => ({
  from: bellSort(firstDay * idsPerDay),
  to: bellSort((lastDay + 1) * idsPerDay - 1),
})
