import { byName } from '../../../kernel/collections/own-members.ts'
import type { FieldErrors } from '../../../kernel/failures/faults.ts'
import type { Warning } from '../../../kernel/failures/warning.ts'
import { differences } from '../../../platform/trail/difference.ts'
import type { ConfigurationDocument } from '../schema.ts'
import type { Author } from '../sections/section.ts'
import { objectsIn, sectionNames, type Sections } from '../sections/sections.ts'
import type { Change } from './list-changes.ts'

/** The next object: the number of its section, and its place there. */
export interface CheckPlace {
  readonly section: number
  readonly index: number
}
export const firstObject: CheckPlace = { section: 0, index: 0 }

export interface Checked {
  readonly errors: FieldErrors
  readonly warnings: readonly Warning[]
  readonly changes: readonly Change[]
  readonly checked: number
  /** Where to continue; null when everything is checked. */
  readonly next: CheckPlace | null
}

/** Checks the objects of a document from `from`, at least one, until time is up. Writes nothing. */
export async function checkObjects(
  sections: Sections,
  author: Author,
  document: ConfigurationDocument,
  from: CheckPlace,
  timeIsUp: () => boolean,
): Promise<Checked> {
  const names = sectionNames(sections)
  const errors: FieldErrors = byName()
  const warnings: Warning[] = []
  const changes: Change[] = []
  let checked = 0
  for (let at = from.section; at < names.length; at += 1) {
    const name = names[at] as (typeof names)[number]
    const given = objectsIn(document, name)
    const start = at === from.section ? from.index : 0
    if (start >= given.length) continue
    const section = sections[name]
    const existing = await section.read(author)
    const check = await section.openCheck(author, existing, document)
    const firstWith = new Map(given.map((one, index) => [one.name, index] as const).toReversed())
    for (let index = start; index < given.length; index += 1) {
      if (checked > 0 && timeIsUp()) return { errors, warnings, changes, checked, next: { section: at, index } }
      const one = given[index] as (typeof given)[number]
      const before = existing.get(one.name)
      const whole = section.complete(one, before)
      const warn = ({ path = '', ...warning }: Warning): void => {
        warnings.push({ path: `${name}.${index}${path && `.${path}`}`, ...warning })
      }
      for (const [path, messages] of Object.entries(await check(whole, index, warn)))
        errors[`${name}.${index}.${path}`] = messages
      if (firstWith.get(one.name) !== index)
        errors[`${name}.${index}.name`] = [`The name ${one.name} is used twice. Use each name once.`]
      changes.push({
        path: `${name}.${one.name}`,
        isNew: !before,
        lines: before ? differences(before, section.comparable?.(whole, before) ?? whole) : [],
      })
      checked += 1
    }
  }
  return { errors, warnings, changes, checked, next: null }
}
