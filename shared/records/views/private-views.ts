import { changedMeanwhile } from '../../kernel/failures/concurrent-change.ts'
import { Invalid, NotFound } from '../../kernel/failures/faults.ts'
import { say } from '../../kernel/failures/sentence.ts'
import { maxPrivateViews } from '../../kernel/limits/lists.ts'
import type { Principal } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { isoTime } from '../../kernel/time/clock.ts'
import { timesAt } from '../../platform/store/config.ts'
import { privateViewKey, privateViewPartition } from '../../platform/store/keys/views.ts'
import { readAll } from '../../platform/store/ranges/read-all.ts'
import { nameTaken } from '../../platform/store/rows/unique-row.ts'
import type { Store, Write } from '../../platform/store/store.ts'
import { readJson } from '../../platform/store/values/json-attribute.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { commit } from '../../platform/store/writes/commit.ts'
import { atVersion, isNew } from '../../platform/store/writes/conditions.ts'
import type { ViewDependencies } from './shared-views.ts'
import type { View } from './view.ts'

type Owner = Pick<Principal, 'tenant' | 'userId'>

/** The row of a private view. */
export function privateViewOf(item: Item): View {
  const doc = readJson<Omit<View, 'id' | 'owner' | 'version' | 'scope'>>(item, 'doc')
  return {
    ...doc,
    id: Number(item.id),
    owner: Number(item.user_id),
    scope: 'private',
    version: Number(item.version),
    createdAt: String(item.created_at),
    updatedAt: String(item.updated_at),
  }
}

/** Writes a private view on condition that the stored one is at version `before`, or that there is none. */
export function putPrivateView(tenant: TenantRef, view: View, before: number | null): Write {
  const { id, owner, version, scope: _scope, createdAt, updatedAt, ...doc } = view
  return {
    put: {
      ...privateViewKey(tenant, owner, id),
      kind: 'view',
      v: 1,
      id,
      user_id: owner,
      version,
      doc: JSON.stringify(doc),
      created_at: createdAt,
      updated_at: updatedAt,
    },
    if: before === null ? isNew : atVersion(before),
  }
}

export const removePrivateView = (tenant: TenantRef, { id, owner, version }: View): Write => ({
  remove: privateViewKey(tenant, owner, id),
  if: atVersion(version),
})

/** A view of the caller's own; undefined when they have none with this id. */
export async function findPrivateView(
  store: Pick<Store, 'get'>,
  { tenant, userId }: Owner,
  id: number,
): Promise<View | undefined> {
  const item = await store.get(tenant, privateViewKey(tenant, userId, id))
  return item && privateViewOf(item)
}

/** All views of the caller's own, the oldest first. */
export const privateViews = async (store: Pick<Store, 'query'>, { tenant, userId }: Owner): Promise<readonly View[]> =>
  (await readAll(store, tenant, { pk: privateViewPartition(tenant, userId) })).map(privateViewOf)

/**
 * Stores a private view. Another default view of the same table no longer is one. Throws Conflict for the name of
 * another, or when somebody else changed one meanwhile, and Invalid when there are too many.
 */
export async function savePrivateView(
  { store, clock }: Pick<ViewDependencies, 'store' | 'clock'>,
  caller: Principal,
  view: View,
  before: View | undefined,
): Promise<View> {
  const { tenant } = caller
  const at = isoTime(clock.now())
  const after = { ...view, ...timesAt(before, at) }
  const writes = await writesOf(store, tenant, after, before, at)
  await commit(store, tenant, writes, clock.uuid(), changedMeanwhile('view'))
  return after
}

/** What stores a private view: for a transaction. */
export async function writesOf(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  after: View,
  before: View | undefined,
  at: string,
): Promise<readonly Write[]> {
  const others = (await privateViews(store, { tenant: tenant as Owner['tenant'], userId: after.owner })).filter(
    ({ id }) => id !== after.id,
  )
  if (others.some(({ model, name }) => model === after.model && name === after.name)) throw nameTaken()
  if (!before && others.length >= maxPrivateViews)
    throw new Invalid({ name: [say('too_many_views', { count: others.length })] })
  const formerDefaults = after.isDefault
    ? others.filter(({ model, isDefault }) => isDefault && model === after.model)
    : []
  return [
    putPrivateView(tenant, after, before?.version ?? null),
    ...formerDefaults.map((one) =>
      putPrivateView(
        tenant,
        // The time of one that has no versions says which renames came after it.
        { ...one, isDefault: false, version: one.version + 1, ...(one.checkedWith && { updatedAt: at }) },
        one.version,
      ),
    ),
  ]
}

export const noView = (id: number): NotFound => new NotFound('view', { id })

/** The private views of some users, as the export of a tenant holds them. */
export async function exportedViews(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  users: readonly number[],
): Promise<readonly object[]> {
  const rows: object[] = []
  for (const userId of users)
    for (const item of await readAll(store, tenant, { pk: privateViewPartition(tenant, userId) })) {
      const { owner, checkedWith: _versions, ...view } = privateViewOf(item)
      rows.push({ user_id: owner, ...view })
    }
  return rows
}
