import { byName } from '../../kernel/collections/own-members.ts'
import { cursorCodec, cursorPart } from '../../platform/http/paging/cursor.ts'
import type { MergePosition } from './merge-newest.ts'
import type { AnySource } from './timeline-source.ts'

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
