import { checkItem } from '../../../automation/portal-items/check-item.ts'
import type { PortalItem } from '../../../automation/portal-items/portal-item.ts'
import {
  itemNamesNow,
  type PortalItemDependencies,
  portalItems,
} from '../../../automation/portal-items/portal-items.ts'
import type { PortalItemDocument, PortalItemInput } from '../../../automation/portal-items/schema.ts'
import { objectSection } from './object-section.ts'
import type { Section } from './section.ts'
import { namesAdded, tablesToBe } from './tables-to-be.ts'

/** The items of the portal. */
export const portalItemSection = (services: PortalItemDependencies): Section<PortalItemDocument> =>
  objectSection<PortalItem, PortalItemDocument, PortalItemInput, PortalItemDependencies>(portalItems, services, {
    openCheck({ tenant }, _existing, whole) {
      const { find, names: tables } = tablesToBe(services.tables, tenant, whole)
      const now = itemNamesNow(services, tenant)
      const added = namesAdded(whole)
      const names = { find, tables, roles: async () => [...(await now.roles()), ...added.roles] }
      return Promise.resolve((document) => {
        const { model, fields, defaults, roles, state_field, public_states, public_fields, reopen_state } = document
        return checkItem(names, tenant, {
          model,
          fields,
          defaults: defaults ?? null,
          roles: roles ?? null,
          state_field: state_field ?? null,
          public_states: public_states ?? null,
          public_fields: public_fields ?? null,
          reopen_state: reopen_state ?? null,
        })
      })
    },
  })
