import { maxTimelineCharacters } from '../../kernel/limits/lists.ts'

/** What is kept of parts of larger data. */
const keptCharacters = 500
const keptItems = 50

/** The data, with long texts and lists cut when it is large as a whole. */
export function shorten(data: object): { readonly data: Record<string, unknown>; readonly isShortened: boolean } {
  return JSON.stringify(data).length <= maxTimelineCharacters
    ? { data: data as Record<string, unknown>, isShortened: false }
    : { data: cut(data) as Record<string, unknown>, isShortened: true }
}

function cut(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length <= keptCharacters ? value : `${value.slice(0, keptCharacters).toWellFormed()}…`
  if (Array.isArray(value)) return value.slice(0, keptItems).map(cut)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cut(member)]))
}
