import type { ConfigurationDocument } from '../schema.ts'
import type { Section } from './section.ts'

export type SectionName = keyof ConfigurationDocument

/** In the order in which they are applied: later sections may refer to earlier ones. */
export type Sections = Readonly<Record<SectionName, Section<any>>>

export const sectionNames = (sections: Sections): readonly SectionName[] => Object.keys(sections) as SectionName[]

/** An object of any section. */
export interface Named {
  readonly name: string
}

export const objectsIn = (document: ConfigurationDocument, section: SectionName): readonly Named[] =>
  document[section] ?? []

export const countObjects = (document: ConfigurationDocument): number =>
  Object.values(document).reduce((count, objects) => count + (objects?.length ?? 0), 0)
