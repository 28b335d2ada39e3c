import { clock } from '../../shared/kernel/time/clock.ts'
import { channelSection } from '../../shared/operations/configuration/sections/channel-section.ts'
import { objectSections } from '../../shared/operations/configuration/sections/configured-objects.ts'
import { decisionSection } from '../../shared/operations/configuration/sections/decision-section.ts'
import { incomingActionSection } from '../../shared/operations/configuration/sections/incoming-action-section.ts'
import { notificationTemplateSection } from '../../shared/operations/configuration/sections/notification-template-section.ts'
import { processSection } from '../../shared/operations/configuration/sections/process-section.ts'
import { relationSection } from '../../shared/operations/configuration/sections/relation-section.ts'
import { roleSection } from '../../shared/operations/configuration/sections/role-section.ts'
import type { Sections } from '../../shared/operations/configuration/sections/sections.ts'
import { tableSection } from '../../shared/operations/configuration/sections/table-section.ts'
import { viewSection } from '../../shared/operations/configuration/sections/view-section.ts'
import { accounts } from './accounts.ts'
import { config } from './platform/config.ts'
import { store } from './platform/store.ts'
import { decisionDependencies } from './processes/decision-dependencies.ts'
import { templateDependencies } from './processes/template-dependencies.ts'
import { viewDependencies } from './records/views.ts'
import { tableAdministration } from './tables/table-administration.ts'
import { tables } from './tables/tables.ts'

/** What the administration of configured objects needs. */
export const objectDependencies = { store, config, tables, clock }

/** The sections of the configuration document, in the order in which they are applied. */
export const configurationSections: Sections = {
  tables: tableSection(tables, tableAdministration, config),
  roles: roleSection(accounts, tables),
  relations: relationSection({ store, config, tables, clock }),
  decisions: decisionSection(decisionDependencies),
  processes: processSection({ ...templateDependencies, tables }),
  channels: channelSection({ store, config, clock }),
  templates: notificationTemplateSection({ store, config, clock }),
  ...objectSections(objectDependencies),
  views: viewSection(viewDependencies),
  incoming_actions: incomingActionSection({ store, config, tables, clock }),
}
