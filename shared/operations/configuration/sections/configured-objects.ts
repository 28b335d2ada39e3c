import { type MacroDependencies, macros } from '../../../automation/macros/macros.ts'
import { type PortalItemDependencies, portalItems } from '../../../automation/portal-items/portal-items.ts'
import { type SnippetDependencies, snippets } from '../../../automation/snippets/snippets.ts'
import { type SubscriptionDependencies, subscriptions } from '../../../automation/subscriptions/subscriptions.ts'
import type { ObjectAdministration } from '../../../platform/configured-objects/implement-object.ts'
import { type ImportMappingDependencies, importMappings } from '../../import-mappings/import-mappings.ts'
import type { configuredObjects } from '../schema.ts'
import { importMappingSection } from './import-mapping-section.ts'
import { macroSection } from './macro-section.ts'
import { portalItemSection } from './portal-item-section.ts'
import type { Section } from './section.ts'
import { snippetSection } from './snippet-section.ts'
import { subscriptionSection } from './subscription-section.ts'

/** What the administration of these objects needs. */
export type ObjectDependencies = SubscriptionDependencies &
  MacroDependencies &
  SnippetDependencies &
  PortalItemDependencies &
  ImportMappingDependencies

interface Administered {
  readonly object: ObjectAdministration<ObjectDependencies>
  readonly section: (services: ObjectDependencies) => Section<any>
}

/** The administration of the objects whose routes and documents `schema.ts` lists. */
export const administeredObjects: Readonly<Record<keyof typeof configuredObjects, Administered>> = {
  subscriptions: { object: subscriptions, section: subscriptionSection },
  macros: { object: macros, section: macroSection },
  portal_items: { object: portalItems, section: portalItemSection },
  snippets: { object: snippets, section: snippetSection },
  import_mappings: { object: importMappings, section: importMappingSection },
}

/** The sections of these objects in the configuration document. */
export const objectSections = (services: ObjectDependencies) =>
  Object.fromEntries(
    Object.entries(administeredObjects).map(([name, { section }]) => [name, section(services)]),
  ) as Record<keyof typeof configuredObjects, Section<any>>
