import { moveProviderClaim } from '../../../shared/accounts/sign-in/providers/sso/provider-claim.ts'
import { findTenant } from '../../../shared/accounts/tenants/find-tenant.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { followSettings } from '../../../shared/messages/mailbox/follow-settings.ts'
import { applyConfiguration } from '../../../shared/operations/configuration/apply/apply-configuration.ts'
import { exportConfiguration } from '../../../shared/operations/configuration/export/export-configuration.ts'
import { configuredObjects } from '../../../shared/operations/configuration/schema.ts'
import { administeredObjects } from '../../../shared/operations/configuration/sections/configured-objects.ts'
import { implementObject } from '../../../shared/platform/configured-objects/implement-object.ts'
import { endpointGroup } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { implement } from '../../../shared/platform/http/routing/implement.ts'
import { changeSettings, type SettingsDependencies } from '../../../shared/platform/settings/change-settings.ts'
import { describeSettings, listSettings } from '../../../shared/platform/settings/read-settings.ts'
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
