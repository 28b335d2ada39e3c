import { exportedUser, findTenant } from '../../auth/service.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { readJson } from '../../store/json-attribute.ts'
import { userPartition } from '../../store/keys/auth.ts'
import { configPartition, configPrefix } from '../../store/keys/configuration.ts'
import type { Item } from '../../store/marshal.ts'
import type { Store } from '../../store/store.ts'
import { rangeSource } from './range-source.ts'
import type { Source } from './source.ts'
import { withoutSecrets } from './without-secrets.ts'

/** The tenant itself, its users and its configuration. */
export const accountSources = (store: Pick<Store, 'get' | 'query'>, tenant: TenantRef): Source[] => [
  {
    name: 'tenant',
    async read() {
      const found = await findTenant(store, tenant.id)
      return { rows: [{ file: 'tenant', rows: found ? [{ slug: found.slug, name: found.name }] : [] }], next: null }
    },
  },
  rangeSource(store, tenant, 'users', [{ pk: userPartition(tenant) }], (items) => [
    { file: 'users', rows: items.map(exportedUser) },
  ]),
  rangeSource(store, tenant, 'configuration', [{ pk: configPartition(tenant) }], (items) => [
    { file: 'configuration', rows: items.filter(isNoPointer).map(configurationRow) },
  ]),
]

/** Kinds of configuration that hold no secrets: their names and members are those of tables, roles, processes and templates. */
const open: ReadonlySet<string> = new Set([
  'TABLE',
  'RELATION',
  'ROLE',
  'PROCESS',
  'AUTH_MAPPING',
  'NOTIFICATION_TEMPLATE',
])

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
    document: open.has(kind) ? doc : withoutSecrets(name, doc),
  }
}
