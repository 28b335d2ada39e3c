import { type MacroDependencies, macros } from '../../../automation/macros/macros.ts'
import { type PortalItemDependencies, portalItems } from '../../../automation/portal-items/portal-items.ts'
import { type SnippetDependencies, snippets } from '../../../automation/snippets/snippets.ts'
import { type SubscriptionDependencies, subscriptions } from '../../../automation/subscriptions/subscriptions.ts'
import type { ObjectAdministration } from '../../../platform/configured-objects/implement-object.ts'
import {
  type ImportMappingDependencies,
  importMappings,
  storedMappings,
} from '../../import-mappings/import-mappings.ts'
import type { configuredObjects } from '../schema.ts'
import { objectSection } from './object-section.ts'
import type { Section } from './section.ts'
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

/** The administration of the objects whose routes and documents `schema.ts` lists, and their sections there. */
export const administeredObjects: Readonly<Record<keyof typeof configuredObjects, Administered>> = {
  subscriptions: { object: subscriptions, section: subscriptionSection },
  macros: {
    object: macros,
    section: (services) =>
      objectSection(macros, services, {
        // An id of a user means nothing in another tenant.
        documentsOf: (_, all) => all.filter(({ assign }) => typeof assign !== 'number').map(macros.documentOf) as never,
      }),
  },
  portal_items: { object: portalItems, section: (services) => objectSection(portalItems, services) },
  snippets: { object: snippets, section: (services) => objectSection(snippets, services) },
  import_mappings: {
    object: importMappings,
    // Whoever applies the document owns those that it makes.
    section: (services) => objectSection(storedMappings, services, { without: ['owner'] }),
  },
}

/** The sections of these objects in the configuration document. */
export const objectSections = (services: ObjectDependencies) =>
  Object.fromEntries(
    Object.entries(administeredObjects).map(([name, { section }]) => [name, section(services)]),
  ) as Record<keyof typeof configuredObjects, Section<any>>
