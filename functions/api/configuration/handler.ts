import { findTenant, moveProviderClaim } from '../../../shared/accounts/service.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { followSettings } from '../../../shared/messages/mailbox/service.ts'
import { configuredObjects } from '../../../shared/operations/configuration/schema.ts'
import {
  administeredObjects,
  applyConfiguration,
  exportConfiguration,
} from '../../../shared/operations/configuration/service.ts'
import { implementObject } from '../../../shared/platform/configured-objects/service.ts'
import { endpointGroup } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { implement } from '../../../shared/platform/http/routing/implement.ts'
import {
  changeSettings,
  describeSettings,
  listSettings,
  type SettingsDependencies,
} from '../../../shared/platform/settings/service.ts'
import { answerDeadline } from '../../wiring/answer-deadline.ts'
import { authenticate } from '../../wiring/authenticate.ts'
import { configurationSections as sections, objectDependencies } from '../../wiring/configuration-sections.ts'
import { jobs } from '../../wiring/jobs.ts'
import { config } from '../../wiring/platform/config.ts'
import { lazyObjects } from '../../wiring/platform/lazy-objects.ts'
import { secrets } from '../../wiring/platform/secrets.ts'
import { store } from '../../wiring/platform/store.ts'
import { files } from '../../wiring/tables/files.ts'
import * as route from './routes.ts'
import * as settingsRoute from './settings-routes.ts'

const applying = {
  sections,
  files,
  jobs,
  objects: lazyObjects,
  clock,
  findTenant: (id: number) => findTenant(store, id),
}
const alsoWrite: SettingsDependencies['alsoWrite'] = (tenant, before, after) => [
  ...moveProviderClaim(tenant, before, after),
  ...followSettings(clock, tenant, before, after).map((write) => ({ write })),
]
const settings = { store, config, clock, secrets, alsoWrite }

const objectNames = Object.keys(configuredObjects) as (keyof typeof configuredObjects)[]

export const handler = endpointGroup({ authenticate }, [
  implement(route.readConfiguration, ({ caller, query }) =>
    exportConfiguration({ sections, jobs }, caller, query.file === 'true'),
  ),
  implement(route.applyConfiguration, ({ caller, body, remainingMs }) =>
    applyConfiguration(applying, caller, body, answerDeadline(remainingMs)),
  ),
  implement(settingsRoute.readSettings, async ({ caller }) =>
    describeSettings(await listSettings(config, caller.tenant)),
  ),
  implement(settingsRoute.changeSettings, ({ caller, body }) => changeSettings(settings, caller, body)),
  ...objectNames.flatMap((name) =>
    implementObject(configuredObjects[name].routes, administeredObjects[name].object, objectDependencies),
  ),
])
