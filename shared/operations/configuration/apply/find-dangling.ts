import { isDeepStrictEqual } from 'node:util'
import { type FieldMessages, messagesOf } from '../../../kernel/failures/sentence.ts'
import type { Warning } from '../../../kernel/failures/warning.ts'
import type { ConfigurationDocument, TableConfiguration } from '../schema.ts'
import type { Author, CheckObject, Section } from '../sections/section.ts'
import { type Named, objectsIn, type SectionName, sectionNames, type Sections } from '../sections/sections.ts'

/** The sections whose objects name tables, fields and options of others. */
const naming: ReadonlySet<SectionName> = new Set([
  'roles',
  'processes',
  'subscriptions',
  'macros',
  'portal_items',
  'snippets',
  'import_mappings',
  'views',
  'incoming_actions',
])
/** So many warnings show what is left dangling. */
const maxDangling = 100

const nothing: ConfigurationDocument = {}

/**
 * What a checked document takes away from under others: each object that is valid with the tables as they are, and names
 * what is missing once the document is applied. `path`: its section, its name, and the path within it. The checks are
 * those of a save.
 */
export async function findDangling(
  sections: Sections,
  author: Author,
  document: ConfigurationDocument,
  timeIsUp: () => boolean,
): Promise<Warning[]> {
  if (!(await changesTables(sections, author, document))) return []
  const found: Warning[] = []
  for (const name of sectionNames(sections).filter((one) => naming.has(one))) {
    const section: Section<Named> = sections[name]
    const existing = await section.read(author)
    const given = new Map(objectsIn(document, name).map((one) => [one.name, one]))
    // Nothing counts as known before, so that all that an object names is looked up.
    const [checkAfter, checkBefore] = await Promise.all(
      [document, nothing].map((whole) => section.openCheck(author, new Map(), whole)),
    )
    for (const [own, before] of existing) {
      if (found.length >= maxDangling || timeIsUp()) return found
      const changed = given.get(own)
      const after = changed ? section.complete(changed, before) : before
      const lost = await errorsOf(checkAfter as CheckObject<Named>, after)
      if (Object.keys(lost).length === 0) continue
      const earlier = await errorsOf(checkBefore as CheckObject<Named>, before)
      for (const [path, messages] of Object.entries(lost))
        for (const message of messages)
          if (!earlier[path]?.includes(message))
            found.push({ path: `${name}.${own}.${path}`, code: 'dangling', message })
    }
  }
  return found
}

const errorsOf = async (check: CheckObject<Named>, one: Named): Promise<FieldMessages> =>
  messagesOf(await check(one, -1, () => {}))

/** Whether the document changes fields of a table that exists: only then can something be missing afterwards. */
async function changesTables({ tables }: Sections, author: Author, document: ConfigurationDocument): Promise<boolean> {
  if (!document.tables?.length) return false
  const existing: ReadonlyMap<string, TableConfiguration> = await tables.read(author)
  return document.tables.some((table) => {
    const before = existing.get(table.name)
    return before !== undefined && !isDeepStrictEqual(before.table_fields, table.table_fields)
  })
}
