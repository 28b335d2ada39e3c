import { byName } from '../../kernel/collections/own-members.ts'
import { type FieldErrors, Invalid } from '../../kernel/failures/faults.ts'
import { requirePerson } from '../../kernel/failures/permission-missing.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { thereIsNo } from '../../kernel/text/did-you-mean.ts'
import { type Clock, isoTime } from '../../kernel/time/clock.ts'
import { mask } from '../secrets/mask.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { type Config, putConfigRow, raiseConfigVersion, removeConfigRow } from '../store/config.ts'
import { configKey } from '../store/keys/configuration.ts'
import { deploymentWide, type Store, type Write } from '../store/store.ts'
import { commit, type Step } from '../store/writes/commit.ts'
import { exists } from '../store/writes/conditions.ts'
import { retryWithJitter } from '../store/writes/retry-with-jitter.ts'
import { type FieldChange, trailEvent } from '../trail/trail-event.ts'
import { describeSettings, listSettings, namesIn, shownValue } from './read-settings.ts'
import type { SettingsChanges } from './schema.ts'
import { settingRow, type StoredSetting, type StoredValue } from './setting-row.ts'
import { isSecret, type SettingName } from './setting-values.ts'

type StoredSettings = ReadonlyMap<SettingName, StoredSetting>

export interface SettingsDependencies {
  readonly store: Pick<Store, 'transact'>
  readonly config: Pick<Config, 'listFresh'>
  readonly clock: Clock
  readonly secrets: () => Promise<SecretBox>
  /** Steps that join the transaction of a change, to keep what follows from settings in step with them. */
  readonly alsoWrite: (
    tenant: TenantRef,
    before: Readonly<Record<SettingName, string | number | null>>,
    after: Readonly<Record<SettingName, string | number | null>>,
  ) => readonly Step[]
}

/** A change of one setting; `value` is undefined when the setting is removed. */
interface Change {
  readonly name: SettingName
  readonly before: StoredSetting | undefined
  readonly value: StoredValue | undefined
}

/**
 * Changes settings in one transaction and answers all of them as administrators see them. Names that are left out and
 * masked secrets keep their values. Throws Invalid naming what is wrong.
 */
export async function changeSettings(settings: SettingsDependencies, caller: Caller, given: SettingsChanges) {
  const { store, config, clock } = settings
  const { tenant, userId } = caller
  const sealed = await sealSecrets(settings, tenant, given)
  return retryWithJitter(clock, async (retry) => {
    const stored = await listSettings(config, tenant)
    const changes = changesOf(stored, given, sealed)
    if (changes.length === 0) return describeSettings(stored)
    refuseSignInToKeys(caller, changes)
    const namesRole = changes.some(({ name }) => name === 'DEFAULT_ROLE')
    const roles = namesRole ? (await config.listFresh(tenant, 'ROLE')).map(({ name }) => name) : []
    const namesTables = changes.some(({ name, value }) => name === 'FOLLOW_TABLES' && value !== undefined)
    const tables = namesTables ? (await config.listFresh(tenant, 'TABLE')).map(({ name }) => name) : []
    const after = applyChanges(stored, changes)
    const audit = { userId, at: isoTime(clock.now()) }
    const [shownBefore, shownAfter] = [describeSettings(stored), describeSettings(after)]
    await commit(
      store,
      deploymentWide,
      [
        ...changes.flatMap(({ name, before }): Write[] => {
          const row = after.get(name)
          if (row) return [putConfigRow(tenant, 'SETTING', settingRow(row), before?.version ?? null, audit)]
          return before ? [removeConfigRow(tenant, 'SETTING', name, before.version)] : []
        }),
        ...rolesExist(tenant, changes, roles),
        ...tablesExist(tenant, changes, tables),
        ...settings.alsoWrite(tenant, shownBefore, shownAfter),
        settingsEvent(clock, caller, changes),
        raiseConfigVersion(tenant, clock),
      ],
      clock.uuid(),
      retry,
    )
    return shownAfter
  })
}

/** Throws Forbidden when an API key decides who is signed in, or as what: its holder could be anybody then. */
function refuseSignInToKeys(caller: Caller, changes: readonly Change[]): void {
  const found = changes.find(
    ({ name, value }) => /^(SSO|OAUTH)_/.test(name) || (name === 'DEFAULT_ROLE' && value === 'admin'),
  )
  if (found) requirePerson(caller, `set ${found.name}${found.name === 'DEFAULT_ROLE' ? ' to admin' : ''}`)
}

async function sealSecrets(
  { secrets }: Pick<SettingsDependencies, 'secrets'>,
  tenant: TenantRef,
  given: SettingsChanges,
): Promise<ReadonlyMap<SettingName, StoredValue>> {
  const wanted = (Object.entries(given) as [SettingName, string | number | null | undefined][]).filter(
    ([name, value]) => isSecret(name) && value !== null && value !== undefined && value !== mask,
  )
  return new Map(
    await Promise.all(
      wanted.map(async ([name, text]): Promise<[SettingName, StoredValue]> => [
        name,
        { sealed: await (await secrets()).seal(tenant, name, String(text)) },
      ]),
    ),
  )
}

/** What changes. Throws Invalid for the mask of a secret that has no value. */
function changesOf(
  stored: StoredSettings,
  given: SettingsChanges,
  sealed: ReadonlyMap<SettingName, StoredValue>,
): Change[] {
  const errors: FieldErrors = byName()
  const changes = (Object.entries(given) as [SettingName, string | number | null | undefined][]).flatMap(
    ([name, wanted]): Change[] => {
      const before = stored.get(name)
      if (wanted === undefined || wanted === shownValue(before?.value)) return []
      if (wanted === mask && isSecret(name)) errors[name] = [`${name} has no value yet: send one.`]
      return [{ name, before, value: wanted === null ? undefined : (sealed.get(name) ?? wanted) }]
    },
  )
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
  return changes
}

function applyChanges(stored: StoredSettings, changes: readonly Change[]): StoredSettings {
  const after = new Map(stored)
  for (const { name, before, value } of changes) {
    if (value === undefined) after.delete(name)
    else after.set(name, { name, version: (before?.version ?? 0) + 1, value })
  }
  return after
}

/** The default role has to exist. */
const rolesExist = (tenant: TenantRef, changes: readonly Change[], known: readonly string[]): Step[] =>
  changes.flatMap(({ name, value }) =>
    name === 'DEFAULT_ROLE' && value !== undefined
      ? [
          {
            write: { check: configKey(tenant, 'ROLE', String(value)), if: exists },
            refused: () =>
              new Invalid({ [name]: [`The selected ${name} is invalid: ${thereIsNo('role', String(value), known)}`] }),
          },
        ]
      : [],
  )

/** Tables whose records are followed have to exist. */
const tablesExist = (tenant: TenantRef, changes: readonly Change[], known: readonly string[]): Step[] =>
  changes.flatMap(({ name: setting, value }) =>
    setting === 'FOLLOW_TABLES' && typeof value === 'string'
      ? [...new Set(namesIn(value))].map((name) => ({
          write: { check: configKey(tenant, 'TABLE', name), if: exists },
          refused: () =>
            new Invalid({ [setting]: [`The selected ${setting} is invalid: ${thereIsNo('table', name, known)}`] }),
        }))
      : [],
  )

function settingsEvent(clock: Clock, caller: Caller, changes: readonly Change[]): Write {
  const shown = changes.map(({ name, before, value }): [string, FieldChange] => [
    name,
    { old: shownValue(before?.value), new: shownValue(value) },
  ])
  return trailEvent(clock, caller.tenant, caller, {
    action: 'update',
    model: 'sys_settings',
    id: 0,
    name: 'settings',
    changes: Object.fromEntries(shown),
  })
}
