import type { Group } from '../api/records.ts'

/** Rows that follow each other in a list: those of one group, or all of a list without groups. */
export interface Section {
  /** Left out in a list without groups. */
  readonly group?: Group
  /** Where it begins in the whole list, its head included. */
  readonly start: number
  readonly rows: number
}

export interface Place {
  readonly section: Section
  /** The row of the section, from 0; -1 for its head. */
  readonly row: number
}

/** Where groups stand in the list, each with a head; the rows of a closed one are left out. */
export function sectionsOf(groups: readonly Group[], closed: ReadonlySet<string>): readonly Section[] {
  let start = 0
  return groups.map((group) => {
    const section = { group, start, rows: closed.has(groupKey(group)) ? 0 : group.count }
    start += 1 + section.rows
    return section
  })
}

export const groupKey = ({ value }: Group): string => JSON.stringify(value)

/** How many lines a list has. */
export const lengthOf = (sections: readonly Section[]): number =>
  sections.reduce((sum, { group, rows }) => sum + rows + (group ? 1 : 0), 0)

/** What stands at a line of the list. */
export function placeAt(sections: readonly Section[], index: number): Place | undefined {
  const section = sections.findLast(({ start }) => start <= index)
  if (!section) return undefined
  const row = index - section.start - (section.group ? 1 : 0)
  return row < section.rows ? { section, row } : undefined
}
