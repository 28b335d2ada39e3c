import type { Tenant, TenantRef } from '../../kernel/tenancy.ts'
import { isTimeZone } from '../../kernel/time/time-zone.ts'
import { mask } from '../secrets/mask.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import type { Config } from '../store/config.ts'
import { readSettingRow, type StoredSetting, type StoredValue } from './setting-row.ts'
import { type SettingName, settingNames } from './setting-values.ts'

/** Settings by name. Those without a value are left out. */
export type SettingValues = Partial<Record<SettingName, string | number>>

/** The stored settings of a tenant by name, past the cache: for answers and changes. */
export async function listSettings(config: Pick<Config, 'listFresh'>, tenant: TenantRef): Promise<StoredSettings> {
  return new Map((await config.listFresh(tenant, 'SETTING')).map(readSettingRow).map((one) => [one.name, one]))
}

export type StoredSettings = ReadonlyMap<SettingName, StoredSetting>

/** The stored settings of a tenant by name, cached with its configuration. Secrets are sealed. */
export const storedSettings = async (config: Pick<Config, 'list'>, tenant: Tenant): Promise<StoredSettings> =>
  new Map((await config.list(tenant, 'SETTING', readSettingRow)).map((one) => [one.name, one]))

/** Every setting as administrators see it: secrets masked, null for one without a value. */
export const describeSettings = (stored: StoredSettings): Record<SettingName, string | number | null> =>
  Object.fromEntries(settingNames.map((name) => [name, shownValue(stored.get(name)?.value)])) as Record<
    SettingName,
    string | number | null
  >

/** A value as answers and the trail show it. */
export const shownValue = (value: StoredValue | undefined): string | number | null =>
  value === undefined ? null : typeof value === 'object' ? mask : value

/**
 * The values of some settings, cached with the tenant's configuration; secrets are opened. Throws when the function may
 * not open one of them (`infra/catalogue/grants.ts`).
 */
export async function readSettings(
  { config, secrets }: { readonly config: Pick<Config, 'list'>; readonly secrets: () => Promise<SecretBox> },
  tenant: Tenant,
  names: readonly SettingName[],
): Promise<SettingValues> {
  const stored = await storedSettings(config, tenant)
  const opened = names
    .flatMap((name) => stored.get(name) ?? [])
    .map(async ({ name, value }) => [
      name,
      typeof value === 'object' ? await (await secrets()).open(tenant, name, value.sealed) : value,
    ])
  return Object.fromEntries(await Promise.all(opened)) as SettingValues
}

/** Whether the portal shows no names of those who answer, as the setting `PORTAL_AGENT_NAMES` says. */
export const hidesAgentNames = async (config: Pick<Config, 'list'>, tenant: Tenant): Promise<boolean> =>
  (await storedSettings(config, tenant)).get('PORTAL_AGENT_NAMES')?.value === 'hidden'

/** The names in a list with commas. */
export const namesIn = (text: string): readonly string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

/** The tables whose records may be followed by a link, as the setting `FOLLOW_TABLES` names them. */
export async function followedTables(config: Pick<Config, 'list'>, tenant: Tenant): Promise<ReadonlySet<string>> {
  const value = (await storedSettings(config, tenant)).get('FOLLOW_TABLES')?.value
  return new Set(typeof value === 'string' ? namesIn(value) : [])
}

/** The accent color of a company in the web app, as the setting `ACCENT_COLOR` says; undefined when unset. */
export async function accentColor(config: Pick<Config, 'list'>, tenant: Tenant): Promise<string | undefined> {
  const value = (await storedSettings(config, tenant)).get('ACCENT_COLOR')?.value
  return value === undefined ? undefined : String(value)
}

/**
 * The tenant's time zone (setting `TIMEZONE`), in which its days begin; UTC unless the setting names an existing zone.
 */
export async function readTimeZone(config: Pick<Config, 'get'>, tenant: Tenant): Promise<string> {
  const stored = await config.get(tenant, 'SETTING', 'TIMEZONE', ({ doc }) => doc)
  return typeof stored === 'string' && isTimeZone(stored) ? stored : 'UTC'
}
