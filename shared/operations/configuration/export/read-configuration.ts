import type { ConfigurationDocument } from '../schema.ts'
import type { Author } from '../sections/section.ts'
import { sectionNames, type Sections } from '../sections/sections.ts'

/** Reads the tenant's whole configuration as one document. */
export async function readConfiguration(sections: Sections, author: Author): Promise<ConfigurationDocument> {
  const entries = await Promise.all(
    sectionNames(sections).map(async (name) => [name, [...(await sections[name].read(author)).values()]] as const),
  )
  return Object.fromEntries(entries) as ConfigurationDocument
}
