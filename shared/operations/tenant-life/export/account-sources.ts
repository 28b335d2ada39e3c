import { describeApiKeys, readApiKey } from '../../../accounts/keys/api-key.ts'
import { exportedUser, userSequence } from '../../../accounts/people/user.ts'
import { findTenant } from '../../../accounts/tenants/find-tenant.ts'
import type { Tenant, TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { exportedPreferences } from '../../../messages/preferences/preferences-row.ts'
import { apiKeyPartition, userPartition } from '../../../platform/store/keys/auth.ts'
import { type ConfigKind, configPartition, configPrefix } from '../../../platform/store/keys/configuration.ts'
import { preferencesKey } from '../../../platform/store/keys/messages/bell.ts'
import type { Store } from '../../../platform/store/store.ts'
import { readJson } from '../../../platform/store/values/json-attribute.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { exportedSnoozes } from '../../../records/snoozes/snoozes.ts'
import { exportedViews } from '../../../records/views/private-views.ts'
import { exportedDocument } from './exported-document.ts'
import { byId } from './process-sources.ts'
import { rangeSource, type Source } from './source.ts'

interface Dependencies {
  readonly store: Pick<Store, 'get' | 'getMany' | 'query'>
  readonly clock: Pick<Clock, 'now'>
}

/** The tenant itself, its users with what they chose, its programs and its configuration. */
export const accountSources = ({ store, clock }: Dependencies, tenant: TenantRef): Source[] => [
  {
    name: 'tenant',
    async read() {
      const found = await findTenant(store, tenant.id)
      return { rows: [{ file: 'tenant', rows: found ? [tenantRow(found)] : [] }], next: null }
    },
  },
  rangeSource(store, tenant, 'users', [{ pk: userPartition(tenant) }], (items) => [
    { file: 'users', rows: items.map(exportedUser) },
  ]),
  byId({ store }, tenant, 'preferences', userSequence, async (ids) => {
    const items = await store.getMany(
      tenant,
      ids.map((id) => preferencesKey(tenant, id)),
    )
    return items.flatMap((item) => (item ? [exportedPreferences(item)] : []))
  }),
  byId({ store }, tenant, 'views', userSequence, (ids) => exportedViews(store, tenant, ids)),
  byId({ store }, tenant, 'snoozes', userSequence, (ids) => exportedSnoozes({ store, clock }, tenant, ids)),
  rangeSource(store, tenant, 'api_keys', [{ pk: apiKeyPartition(tenant) }], async (items) => [
    { file: 'api_keys', rows: await describeApiKeys({ store, clock }, tenant, items.map(readApiKey)) },
  ]),
  rangeSource(store, tenant, 'configuration', [{ pk: configPartition(tenant) }], (items) => [
    { file: 'configuration', rows: items.filter(isNoPointer).map(configurationRow) },
  ]),
]

/** All else names tables as they are stored; `table_names` says what those are called that were renamed. */
const tenantRow = ({ slug, name, renamedTables }: Tenant): object => ({
  slug,
  name,
  ...(renamedTables && { table_names: renamedTables.names }),
})

/** The row of a code only finds its template. */
const isNoPointer = ({ sk }: Item): boolean => !String(sk).startsWith(configPrefix('NOTIFICATION_CODE'))

function configurationRow(item: Item): object {
  const kind = String(item.sk).split('#', 1)[0] as string
  const name = String(item.name)
  const doc = readJson<unknown>(item, 'doc')
  return {
    kind: kind.toLowerCase(),
    name,
    version: Number(item.version),
    updated_by: Number(item.updated_by),
    updated_at: String(item.updated_at),
    document: exportedDocument(kind as ConfigKind, name, doc),
  }
}
