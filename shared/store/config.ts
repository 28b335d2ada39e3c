import type { Clock } from '../kernel/clock.ts'
import type { Tenant, TenantRef } from '../kernel/tenancy.ts'
import { commit, type Step } from './commit.ts'
import { atVersion, exists, isNew } from './conditions.ts'
import { readJson } from './json-attribute.ts'
import { tenantKey } from './keys/auth.ts'
import { configKey, type ConfigKind, configPartition, configPrefix } from './keys/configuration.ts'
import type { Item } from './marshal.ts'
import { readAll } from './read-all.ts'
import type { TransactionRefused } from './refusals.ts'
import type { Store, Write } from './table.ts'

/** How many tenants' configuration one instance keeps. */
const cachedTenants = 500

/** One row of configuration: a document that administrators change as a whole. */
export interface ConfigRow {
  readonly name: string
  /** Rises by one with every change. */
  readonly version: number
  readonly doc: unknown
}

export type Config = ReturnType<typeof createConfig>

/**
 * Configuration, cached per instance until the tenant's `config_version` moves. The version arrives with
 * every authenticated request, so a change is seen by the next request on any instance and a warm request reads nothing.
 */
export function createConfig(store: Store, clock: Pick<Clock, 'uuid'>) {
  const cache = new Map<number, { version: number; entries: Map<string, Promise<unknown>> }>()

  function entriesOf(tenant: Tenant): Map<string, Promise<unknown>> {
    const cached = cache.get(tenant.id)
    if (cached?.version === tenant.configVersion) return cached.entries
    // A request that started before the change must not push the newer cache out again.
    if (cached && cached.version > tenant.configVersion) return new Map()
    cache.delete(tenant.id)
    for (const oldest of cache.keys()) {
      if (cache.size < cachedTenants) break
      cache.delete(oldest)
    }
    const entries = new Map<string, Promise<unknown>>()
    cache.set(tenant.id, { version: tenant.configVersion, entries })
    return entries
  }

  function remember<T>(tenant: Tenant, key: string, load: () => Promise<T>): Promise<T> {
    const entries = entriesOf(tenant)
    const known = entries.get(key) as Promise<T> | undefined
    if (known) return known
    const loading = load()
    entries.set(key, loading)
    loading.catch(() => entries.delete(key))
    return loading
  }

  /** One row as `read` makes it of the stored document; undefined when there is none. Cached. */
  const get = <T>(
    tenant: Tenant,
    kind: ConfigKind,
    name: string,
    read: (row: ConfigRow) => T,
  ): Promise<T | undefined> =>
    remember(tenant, `${kind}#${name}`, async () => {
      const item = await store.get(tenant, configKey(tenant, kind, name))
      return item && read(rowOf(item))
    })

  /** Every row of a kind, by name. Cached. */
  const list = <T>(tenant: Tenant, kind: ConfigKind, read: (row: ConfigRow) => T): Promise<readonly T[]> =>
    remember(tenant, kind, async () => (await listFresh(tenant, kind)).map(read))

  /** One row as it is stored now, for a change of it. */
  async function getFresh(tenant: TenantRef, kind: ConfigKind, name: string): Promise<ConfigRow | undefined> {
    const item = await store.get(tenant, configKey(tenant, kind, name))
    return item && rowOf(item)
  }

  async function listFresh(tenant: TenantRef, kind: ConfigKind): Promise<ConfigRow[]> {
    return (await readAll(store, tenant, { pk: configPartition(tenant), prefix: configPrefix(kind) })).map(rowOf)
  }

  /**
   * Writes configuration rows and raises the tenant's `config_version` in the same transaction, so that no instance keeps
   * using the old ones. Refusals are those of `commit`.
   */
  const change = (
    tenant: TenantRef,
    steps: readonly (Write | Step)[],
    otherwise?: (error: TransactionRefused) => Error,
  ): Promise<void> => commit(store, tenant, [...steps, raiseConfigVersion(tenant)], clock.uuid(), otherwise)

  return { get, list, getFresh, listFresh, change }
}

export const raiseConfigVersion = (tenant: TenantRef): Write => ({
  update: tenantKey(tenant),
  change: { expression: 'ADD config_version :one', values: { ':one': 1 } },
  if: exists,
})

/** Puts a row on condition that the stored one is at version `before`, or, when that is null, that there is none. */
export function putConfigRow(
  tenant: TenantRef,
  kind: ConfigKind,
  row: ConfigRow,
  before: number | null,
  audit: { userId: number; at: string },
): Write {
  const item = {
    ...configKey(tenant, kind, row.name),
    kind: 'config',
    v: 1,
    name: row.name,
    version: row.version,
    doc: JSON.stringify(row.doc),
    updated_by: audit.userId,
    updated_at: audit.at,
  }
  return { put: item, if: before === null ? isNew : atVersion(before) }
}

/** Removes a row on condition that it is at `version`. */
export const removeConfigRow = (tenant: TenantRef, kind: ConfigKind, name: string, version: number): Write => ({
  remove: configKey(tenant, kind, name),
  if: atVersion(version),
})

const rowOf = (item: Item): ConfigRow => ({
  name: String(item.name),
  version: Number(item.version),
  doc: readJson<unknown>(item, 'doc'),
})
