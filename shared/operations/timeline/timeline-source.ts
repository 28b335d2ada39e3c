import { byName } from '../../kernel/collections/own-members.ts'
import { maxTimelineCharacters } from '../../kernel/limits/lists.ts'
import type { Viewer } from '../../kernel/principal.ts'
import { cursorCodec, cursorPart } from '../../platform/http/paging/cursor.ts'
import type { Table } from '../../tables/tables/table.ts'
import type { MergePosition, NewestFirst } from './merge-newest.ts'
import type { TimelineEntry, TimelineKind } from './schema.ts'

/** An entry before its data is shortened. */
export type FullEntry = Omit<TimelineEntry, 'kind' | 'data' | 'is_shortened'> & {
  readonly data: object
  /** Parts of the data are left out already. */
  readonly isShortened?: boolean
}

/** Where the entries of a kind come from; a kind may have several sources. */
export interface TimelineSource<Row> extends NewestFirst<Row> {
  readonly kind: TimelineKind
  /** What its positions look like. */
  readonly position: RegExp
  /** The entries of some rows, in their order. */
  describe(rows: readonly Row[]): Promise<readonly FullEntry[]>
}

/** A source whose rows only itself knows. */
export type AnySource = TimelineSource<unknown>

/** Whose timeline is read, of which record. */
export interface TimelineSubject {
  readonly viewer: Viewer
  readonly model: string
  readonly id: number
  readonly table: Table
  /** The fields that field rules leave to the viewer; undefined: all. */
  readonly readable: ReadonlySet<string> | undefined
  /** Whether the viewer may update the record; of a deleted one, its last state. */
  readonly mayUpdate: boolean
  readonly isDeleted: boolean
  /** The record that it was merged into. */
  readonly mergedInto: number | undefined
  /** The records that were merged into it. */
  readonly merged: readonly number[]
}

/** `at`: the time of the last entry. `starts`: name and position of each source that continues, in turns. */
const cursors = cursorCodec(
  'timeline',
  { at: cursorPart.text(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/), starts: cursorPart.values },
  'The cursor is not one of this timeline. Use meta.next_cursor of the page before.',
)

/** Writes the position behind a page. `list` names the record and the kinds. */
export const writeTimelineCursor = ({ at, starts }: MergePosition, list: string): string =>
  cursors.write({ at, starts: Object.entries(starts).flat() }, list)

/** Reads a position. Sources that the caller may no longer see are left out. Throws Invalid for any other cursor. */
export function readTimelineCursor(cursor: string, list: string, sources: readonly AnySource[]): MergePosition {
  const { at, starts } = cursors.read(cursor, list)
  const found: Record<string, string> = byName()
  for (let index = 0; index < starts.length; index += 2) {
    const [name, position] = [starts[index], starts[index + 1]]
    const source = sources.find((one) => one.name === name)
    if (!source) continue
    if (typeof position !== 'string' || !source.position.test(position)) throw cursors.refusal()
    found[source.name] = position
  }
  return { at, starts: found }
}

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
