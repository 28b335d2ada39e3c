import { clock } from '../../../shared/kernel/time/clock.ts'
import { markAllRead, markRead } from '../../../shared/messages/bell/mark-read.ts'
import { readBell } from '../../../shared/messages/bell/read-bell.ts'
import { changePreferences } from '../../../shared/messages/preferences/change-preferences.ts'
import { describePreferences, readChoices } from '../../../shared/messages/preferences/preferences-row.ts'
import { endpointGroup } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { implement } from '../../../shared/platform/http/routing/implement.ts'
import { bellKey, bellStateKey, preferencesKey } from '../../../shared/platform/store/keys/messages/bell.ts'
import type { Item } from '../../../shared/platform/store/values/marshal.ts'
import { authenticate } from '../../wiring/authenticate.ts'
import { store } from '../../wiring/platform/store.ts'
import * as bell from './bell-routes.ts'
import * as preference from './preference-routes.ts'

const dependencies = { store, clock }

export const handler = endpointGroup({ authenticate }, [
  implement(
    bell.listNotifications,
    ({ caller, query, headers, preloaded }) =>
      readBell(
        dependencies,
        caller,
        query,
        headers['if-none-match'],
        preloaded.get(bellStateKey(caller.tenant, caller.userId)) as Item | null,
      ),
    (tenant, _params, userId) => [bellStateKey(tenant, userId)],
  ),
  implement(
    bell.markRead,
    ({ caller, params, preloaded }) =>
      markRead(dependencies, caller, params.id, {
        notification: preloaded.get(bellKey(caller.tenant, caller.userId, params.id)) as Item | null,
        state: preloaded.get(bellStateKey(caller.tenant, caller.userId)) as Item | null,
      }),
    (tenant, { id }, userId) => [bellKey(tenant, userId, id), bellStateKey(tenant, userId)],
  ),
  implement(
    bell.markAllRead,
    ({ caller, preloaded }) =>
      markAllRead(dependencies, caller, preloaded.get(bellStateKey(caller.tenant, caller.userId)) as Item | null),
    (tenant, _params, userId) => [bellStateKey(tenant, userId)],
  ),
  implement(
    preference.getPreferences,
    async ({ caller, preloaded }) =>
      describePreferences(readChoices(preloaded.get(preferencesKey(caller.tenant, caller.userId)) as Item | null)),
    (tenant, _params, userId) => [preferencesKey(tenant, userId)],
  ),
  implement(preference.changePreferences, ({ caller, body }) => changePreferences(dependencies, caller, body)),
])
