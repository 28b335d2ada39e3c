import { moveProviderClaim } from '../../shared/auth/service.ts'
import {
  channelSection,
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
import { changeSettings, describeSettings, listSettings } from '../../shared/settings/service.ts'
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
}
const configuration = createConfiguration({ store, sections })
const settings = { store, config, clock, secrets, alsoWrite: moveProviderClaim }

export const handler = endpointGroup({ authenticate }, [
  implement(route.readConfiguration, ({ caller }) => configuration.read(caller)),
  implement(route.applyConfiguration, ({ caller, body, query }) =>
    configuration.apply(caller, body, query.dry_run === 'true'),
  ),
  implement(settingsRoute.readSettings, async ({ caller }) =>
    describeSettings(await listSettings(config, caller.tenant)),
  ),
  implement(settingsRoute.changeSettings, ({ caller, body }) => changeSettings(settings, caller, body)),
])
