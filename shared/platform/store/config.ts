import { type LruMap, lruMap } from '../../kernel/collections/lru-map.ts'
import type { Tenant, TenantRef } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { tenantKey } from './keys/auth.ts'
import { configKey, type ConfigKind, configPartition, configPrefix } from './keys/configuration.ts'
import { readAll } from './ranges/read-all.ts'
import type { Condition, Store, Write } from './store.ts'
import { readJson } from './values/json-attribute.ts'
import type { Attribute, Item } from './values/marshal.ts'
import { commit, type Step } from './writes/commit.ts'
import { atVersion, exists, isNew } from './writes/conditions.ts'
import type { TransactionRefused } from './writes/refusals.ts'

/** For how many tenants one function instance caches the configuration. */
const cachedTenants = 500
/** How many names without a row are remembered for one tenant: requests may name anything. */
const cachedUnknown = 200
/**
 * How long ago the configuration must have changed last for rows that were read in one call with the tenant's row: a
 * change in between would leave older rows with the newer version. More than clocks differ, and than a write is retried
 * that noted the time before.
 */
const settledMs = 60_000
/** Longer names are read each time: hardly any row has one, and they would fill the cache. */
const cachedNameCharacters = 256

/** When a row of configuration was made, and changed last; undefined for one that is not stored. */
export interface RowTimes {
  readonly createdAt?: string
  readonly updatedAt?: string
}

/** One row of configuration: a document that administrators replace as a whole. */
export interface ConfigRow extends RowTimes {
  readonly name: string
  /** Rises by one with every change. */
  readonly version: number
  readonly doc: unknown
}

/** A row by its kind and name. */
export type ConfigName = readonly [kind: ConfigKind, name: string]

interface Cached {
  readonly version: number
  readonly entries: Map<string, Promise<unknown>>
  /** Rows that were read ahead, until `get` is asked for them. */
  readonly ahead: LruMap<string, { readonly rows: Promise<readonly (Item | undefined)[]>; readonly index: number }>
  /** The keys of entries without a row: requests may name anything. */
  readonly unknown: LruMap<string, true>
}

export type Config = ReturnType<typeof createConfig>

/**
 * Configuration, cached per function instance until the tenant's `config_version` changes. Every authenticated request
 * brings the current version: the next request on any instance sees a change, and a warm request reads nothing.
 */
export function createConfig(store: Store, clock: Pick<Clock, 'uuid' | 'now'>) {
  const cache = lruMap<number, Cached>(cachedTenants)

  function cachedFor(tenant: Tenant): Cached {
    const cached = cache.get(tenant.id)
    if (cached?.version === tenant.configVersion) return cached
    const fresh = emptyCache(tenant.configVersion)
    // A request that started before the change must not evict the newer cache.
    if (cached && cached.version > tenant.configVersion) return fresh
    cache.set(tenant.id, fresh)
    return fresh
  }

  function remember<T>(tenant: Tenant, key: string, load: () => Promise<T>): Promise<T> {
    const cached = cachedFor(tenant)
    const known = cached.entries.get(key) as Promise<T> | undefined
    if (known) return known
    const loading = load()
    cached.entries.set(key, loading)
    loading.then(
      (found) => found === undefined && cached.unknown.set(key, true),
      () => cached.entries.delete(key),
    )
    return loading
  }

  /** One row, parsed by `read`; undefined when there is none. Cached. */
  function get<T>(tenant: Tenant, kind: ConfigKind, name: string, read: (row: ConfigRow) => T): Promise<T | undefined> {
    const load = async (): Promise<T | undefined> => {
      const item = await (takeAhead(cachedFor(tenant), kind, name) ?? store.get(tenant, configKey(tenant, kind, name)))
      return item && read(rowOf(item))
    }
    return name.length > cachedNameCharacters ? load() : remember(tenant, `${kind}#${name}`, load)
  }

  /** Reads rows in one call that `get` will be asked for next, without those that it has. */
  function readAhead(tenant: Tenant, wanted: readonly ConfigName[]): void {
    const cached = cachedFor(tenant)
    const missing = missingIn(cached, wanted)
    if (missing.length < 2) return
    const rows = store.getMany(
      tenant,
      missing.map(([kind, name]) => configKey(tenant, kind, name)),
    )
    // Whoever asks for a row sees the failure.
    rows.catch(() => undefined)
    keepAhead(cached, missing, rows)
  }

  /**
   * Those of some rows that are in no cache, for who reads a tenant's own row next: read in the same call, they are given
   * to `offer`.
   */
  const notCached = ({ id }: TenantRef, wanted: readonly ConfigName[]): readonly ConfigName[] =>
    missingIn(cache.get(id), wanted)

  /**
   * Takes rows for `get` that were read in one call with the row of `tenant`, asked for at `askedAtMs`. Ignored when the
   * configuration changed a moment before that, or since: then the rows may be older than the version.
   */
  function offer(
    tenant: Tenant,
    names: readonly ConfigName[],
    items: readonly (Item | undefined)[],
    askedAtMs: number,
  ): void {
    const { configChangedAtMs } = tenant
    if (configChangedAtMs === undefined || askedAtMs < configChangedAtMs + settledMs) return
    keepAhead(cachedFor(tenant), names, Promise.resolve(items))
  }

  /** Every row of a kind, ordered by name. Cached. */
  const list = <T>(tenant: Tenant, kind: ConfigKind, read: (row: ConfigRow) => T): Promise<readonly T[]> =>
    remember(tenant, kind, async () => (await listFresh(tenant, kind)).map(read))

  /** One row from the store, past the cache: for writes that change it. */
  async function getFresh(tenant: TenantRef, kind: ConfigKind, name: string): Promise<ConfigRow | undefined> {
    const item = await store.get(tenant, configKey(tenant, kind, name))
    return item && rowOf(item)
  }

  /** Rows of a kind from the store, past the cache, in the order of `names`; undefined where there is none. */
  async function getManyFresh(
    tenant: TenantRef,
    kind: ConfigKind,
    names: readonly string[],
  ): Promise<(ConfigRow | undefined)[]> {
    const keys = names.map((name) => configKey(tenant, kind, name))
    return (await store.getMany(tenant, keys)).map((item) => item && rowOf(item))
  }

  /** Every row of a kind from the store, past the cache. */
  async function listFresh(tenant: TenantRef, kind: ConfigKind): Promise<ConfigRow[]> {
    return (await readAll(store, tenant, { pk: configPartition(tenant), prefix: configPrefix(kind) })).map(rowOf)
  }

  /**
   * Writes configuration rows and raises the tenant's `config_version` in one transaction, so that no instance keeps
   * using cached ones. `ofTenant`: the change of the tenant's row itself. Throws as `commit` does.
   */
  const change = (
    tenant: TenantRef,
    steps: readonly (Write | Step)[],
    otherwise?: (error: TransactionRefused) => Error,
    ofTenant?: TenantChange,
  ): Promise<void> =>
    commit(store, tenant, [...steps, raiseConfigVersion(tenant, clock, ofTenant)], clock.uuid(), otherwise)

  return { get, readAhead, notCached, offer, list, getFresh, getManyFresh, listFresh, change }
}

function emptyCache(version: number): Cached {
  const entries: Cached['entries'] = new Map()
  return {
    version,
    entries,
    ahead: lruMap(cachedUnknown),
    unknown: lruMap(cachedUnknown, (key) => entries.delete(key)),
  }
}

/** The rows that are in a cache neither as entries nor read ahead, of those whose names are short enough for it. */
const missingIn = (cached: Cached | undefined, wanted: readonly ConfigName[]): readonly ConfigName[] =>
  wanted.filter(
    ([kind, name]) =>
      name.length <= cachedNameCharacters &&
      !cached?.entries.has(`${kind}#${name}`) &&
      !cached?.ahead.has(`${kind}#${name}`),
  )

/** Keeps rows that were read ahead. */
function keepAhead(
  { ahead }: Cached,
  names: readonly ConfigName[],
  rows: Promise<readonly (Item | undefined)[]>,
): void {
  for (const [index, [kind, name]] of names.entries()) ahead.set(`${kind}#${name}`, { rows, index })
}

/** A row that was read ahead, once; undefined when it was not. */
function takeAhead({ ahead }: Cached, kind: ConfigKind, name: string): Promise<Item | undefined> | undefined {
  const known = ahead.get(`${kind}#${name}`)
  if (!known) return undefined
  ahead.delete(`${kind}#${name}`)
  return known.rows.then((rows) => rows[known.index])
}

/** What changes in the row of a tenant together with its configuration. */
export interface TenantChange {
  readonly set?: Readonly<Record<string, Attribute>>
  readonly remove?: readonly string[]
  readonly if: Condition
}

export const raiseConfigVersion = (
  tenant: TenantRef,
  clock: Pick<Clock, 'now'>,
  { set = {}, remove = [], ...change }: Partial<TenantChange> = {},
): Write => ({
  update: tenantKey(tenant),
  change: {
    expression: [
      `SET ${['config_changed_at_ms = :now', ...Object.keys(set).map((name) => `${name} = :${name}`)].join(', ')}`,
      ...(remove.length > 0 ? [`REMOVE ${remove.join(', ')}`] : []),
      'ADD config_version :one',
    ].join(' '),
    values: {
      ':one': 1,
      ':now': clock.now(),
      ...Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])),
    },
  },
  if: change.if ?? exists,
})

/** What a row and its object have of their times once they are written. */
export const timesAt = (before: RowTimes | undefined, at: string): Required<RowTimes> => ({
  createdAt: before?.createdAt ?? at,
  updatedAt: at,
})

/** A put on condition that the stored row is at version `before`, or that there is none when `before` is null. */
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
    created_at: row.createdAt ?? audit.at,
    updated_by: audit.userId,
    updated_at: audit.at,
  }
  return { put: item, if: before === null ? isNew : atVersion(before) }
}

/** A remove on condition that the stored row is at `version`. */
export const removeConfigRow = (tenant: TenantRef, kind: ConfigKind, name: string, version: number): Write => ({
  remove: configKey(tenant, kind, name),
  if: atVersion(version),
})

const rowOf = (item: Item): ConfigRow => ({
  name: String(item.name),
  version: Number(item.version),
  doc: readJson<unknown>(item, 'doc'),
  // Rows from before this was kept have the time of their last change.
  createdAt: textOf(item.created_at ?? item.updated_at),
  updatedAt: textOf(item.updated_at),
})

const textOf = (value: unknown): string | undefined => (value === undefined ? undefined : String(value))
