import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Key } from '../../platform/store/keys/key.ts'
import { preferencesKey } from '../../platform/store/keys/messages/bell.ts'
import type { Store } from '../../platform/store/store.ts'
import { readJson } from '../../platform/store/values/json-attribute.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { type Category, categoryNames, defaultDestinations, type Destinations } from './categories.ts'

/** Where a user wants to receive the notifications of each category. */
export type Preferences = Readonly<Record<Category, Destinations>>

/** What a user chose; everything else is as by default. */
export interface Choices {
  /** 0 for a user who never chose. */
  readonly version: number
  readonly notifications: Readonly<Partial<Record<Category, Partial<Destinations>>>>
}

/** Reads the row of a user's preferences; a user who never chose has none. */
export const readChoices = (item: Item | null | undefined): Choices =>
  item
    ? { version: Number(item.version), notifications: readJson<Choices['notifications']>(item, 'notifications') }
    : { version: 0, notifications: {} }

export const preferencesItem = (
  tenant: TenantRef,
  userId: number,
  { version, notifications }: Choices,
): Item & Key => ({
  ...preferencesKey(tenant, userId),
  kind: 'preferences',
  v: 1,
  user_id: userId,
  version,
  notifications: JSON.stringify(notifications),
})

/** What a user chose, as the export of a tenant holds it. */
export const exportedPreferences = (item: Item): object => ({
  user_id: Number(item.user_id),
  notifications: readChoices(item).notifications,
})

export const preferencesOf = ({ notifications }: Choices): Preferences =>
  Object.fromEntries(
    categoryNames.map((name) => [name, { ...defaultDestinations, ...notifications[name] }]),
  ) as unknown as Preferences

/** What users chose, by user. Reads all of them at once. */
export async function readChoicesOf(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, Choices>> {
  const distinct = [...new Set(userIds)]
  const items = await store.getMany(
    tenant,
    distinct.map((id) => preferencesKey(tenant, id)),
  )
  return new Map(distinct.map((id, index) => [id, readChoices(items[index])]))
}

/** Where users want to receive notifications, by user and category. */
export const readPreferences = async (
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, Preferences>> =>
  new Map([...(await readChoicesOf(store, tenant, userIds))].map(([id, choices]) => [id, preferencesOf(choices)]))
