import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Key } from '../../platform/store/keys/key.ts'
import { preferencesKey } from '../../platform/store/keys/messages/bell.ts'
import type { Store } from '../../platform/store/store.ts'
import { readJson, readJsonOrNull } from '../../platform/store/values/json-attribute.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { type Category, categoryNames, defaultDestinations, type Destinations } from './categories.ts'

/** Where a user wants to receive the notifications of each category. */
export type Preferences = Readonly<Record<Category, Destinations>>

/** Between which times of day nothing but what is urgent leaves: `22:00` to `07:00`. */
export interface Quiet {
  readonly from: string
  readonly to: string
}

export const digests = ['none', 'hourly', 'daily'] as const

/** What a user chose; everything else is as by default. */
export interface Choices {
  /** How often the mails of notices leave, gathered. */
  readonly digest: (typeof digests)[number]
  /** null: there are none. */
  readonly quiet: Quiet | null
  /** null: that of the company. */
  readonly timeZone: string | null
  /** 0 for a user who never chose. */
  readonly version: number
  readonly notifications: Readonly<Partial<Record<Category, Partial<Destinations>>>>
}

/** Reads the row of a user's preferences; a user who never chose has none. */
export const readChoices = (item: Item | null | undefined): Choices =>
  item
    ? {
        version: Number(item.version),
        notifications: readJson<Choices['notifications']>(item, 'notifications'),
        // Rows did not hold these once.
        digest: (item.digest ?? 'none') as Choices['digest'],
        quiet: item.quiet === undefined ? null : readJsonOrNull<Quiet>(item, 'quiet'),
        timeZone: (item.time_zone ?? null) as string | null,
      }
    : { version: 0, notifications: {}, digest: 'none', quiet: null, timeZone: null }

export const preferencesItem = (
  tenant: TenantRef,
  userId: number,
  { version, notifications, digest, quiet, timeZone }: Choices,
): Item & Key => ({
  ...preferencesKey(tenant, userId),
  kind: 'preferences',
  v: 1,
  user_id: userId,
  version,
  notifications: JSON.stringify(notifications),
  digest,
  quiet: quiet && JSON.stringify(quiet),
  time_zone: timeZone,
})

/** What a user chose, as the export of a tenant holds it. */
export const exportedPreferences = (item: Item): object => {
  const { notifications, digest, quiet, timeZone } = readChoices(item)
  return { user_id: Number(item.user_id), notifications, digest, quiet, time_zone: timeZone }
}

export const preferencesOf = ({ notifications }: Choices): Preferences =>
  Object.fromEntries(
    categoryNames.map((name) => [name, { ...defaultDestinations, ...notifications[name] }]),
  ) as unknown as Preferences

/** The preferences of a user in the shape of the API. */
export const describePreferences = (choices: Choices) => ({
  notifications: preferencesOf(choices),
  digest: choices.digest,
  quiet: choices.quiet,
  time_zone: choices.timeZone,
})

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
