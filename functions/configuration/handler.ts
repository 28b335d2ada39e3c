import { moveProviderClaim } from '../../shared/auth/service.ts'
import {
  channelSection,
  incomingActionSection,
  notificationTemplateSection,
  processSection,
  relationSection,
  roleSection,
  createConfiguration,
  subscriptionSection,
  tableSection,
} from '../../shared/configuration/service.ts'
import { endpointGroup } from '../../shared/http/routing/endpoint-group.ts'
import { implement } from '../../shared/http/routing/implement.ts'
import { clock } from '../../shared/kernel/clock.ts'
import { followSettings } from '../../shared/mailbox/service.ts'
import {
  changeSettings,
  describeSettings,
  listSettings,
  type SettingsDependencies,
} from '../../shared/settings/service.ts'
import { accounts } from '../wiring/accounts.ts'
import { authenticate } from '../wiring/authenticate.ts'
import { config } from '../wiring/config.ts'
import { templateDependencies } from '../wiring/processes/template-dependencies.ts'
import { secrets } from '../wiring/secrets.ts'
import { store } from '../wiring/store.ts'
import { tableAdministration } from '../wiring/table-administration.ts'
import { tables } from '../wiring/tables.ts'
import * as route from './routes.ts'
import * as settingsRoute from './settings-routes.ts'

const sections = {
  tables: tableSection(tables, tableAdministration),
  roles: roleSection(accounts, tables),
  relations: relationSection({ store, config, tables, clock }),
  processes: processSection({ ...templateDependencies, tables }),
  channels: channelSection({ store, config, clock }),
  templates: notificationTemplateSection({ store, config, clock }),
  subscriptions: subscriptionSection({ store, config, tables, clock }),
  incoming_actions: incomingActionSection({ store, config, tables, clock }),
}
const configuration = createConfiguration({ store, sections })
const alsoWrite: SettingsDependencies['alsoWrite'] = (tenant, before, after) => [
  ...moveProviderClaim(tenant, before, after),
  ...followSettings(clock, tenant, before, after).map((write) => ({ write })),
]
const settings = { store, config, clock, secrets, alsoWrite }

export const handler = endpointGroup({ authenticate }, [
  implement(route.readConfiguration, ({ caller }) => configuration.read(caller)),
  implement(route.applyConfiguration, ({ caller, body: { dry_run: isDryRun = false, ...document } }) =>
    configuration.apply(caller, document, isDryRun),
  ),
  implement(settingsRoute.readSettings, async ({ caller }) =>
    describeSettings(await listSettings(config, caller.tenant)),
  ),
  implement(settingsRoute.changeSettings, ({ caller, body }) => changeSettings(settings, caller, body)),
])
