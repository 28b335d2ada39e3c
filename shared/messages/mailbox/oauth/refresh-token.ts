import type { TenantRef } from '../../../kernel/tenancy.ts'
import { BrokenSeal, type SecretBox } from '../../../platform/secrets/secret-box.ts'
import { type Key, keyHash } from '../../../platform/store/keys/key.ts'
import { mailboxTokenKey } from '../../../platform/store/keys/messages/mailbox.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { OauthSettings } from '../../mailboxes/mailbox-settings.ts'
import { settingsMailboxId } from '../../mailboxes/mailbox.ts'

export interface RefreshTokenDependencies {
  readonly store: Pick<Store, 'get' | 'write'>
  readonly secrets: () => Promise<SecretBox>
}

/**
 * The name under which a replaced refresh token is sealed. It is not a setting: only the functions that fetch mailboxes
 * may seal and open it, and they may seal nothing else (`infra/catalogue/grants.ts`).
 */
const sealName = ({ mailboxId }: OauthSettings): string =>
  mailboxId === undefined ? 'mailbox.refresh_token' : `mailbox.${mailboxId}.refresh_token`

const keyOf = (tenant: TenantRef, { mailboxId = settingsMailboxId }: OauthSettings): Key =>
  mailboxTokenKey(tenant, mailboxId)

/** The refresh token to use next: the one of the settings, or that which replaced it since they were saved. */
export async function currentRefreshToken(
  { store, secrets }: RefreshTokenDependencies,
  tenant: TenantRef,
  settings: OauthSettings,
): Promise<string | undefined> {
  const row = await store.get(tenant, keyOf(tenant, settings))
  if (row?.origin !== originOf(settings)) return settings.refreshToken
  try {
    return await (await secrets()).open(tenant, sealName(settings), String(row.sealed))
  } catch (error) {
    if (error instanceof BrokenSeal) return settings.refreshToken
    throw error
  }
}

/** Keeps the token that a provider answered instead of the one it was sent. */
export async function keepRefreshToken(
  { store, secrets }: RefreshTokenDependencies,
  tenant: TenantRef,
  settings: OauthSettings,
  token: string,
): Promise<void> {
  const sealed = await (await secrets()).seal(tenant, sealName(settings), token)
  const put = { ...keyOf(tenant, settings), kind: 'mailbox_token', v: 1, origin: originOf(settings), sealed }
  await store.write(tenant, { put })
}

/** Which token of the settings a replaced one descends from: after a new one was saved, it counts for nothing. */
const originOf = ({ tokenUrl, clientId, refreshToken }: OauthSettings): string =>
  keyHash(JSON.stringify([tokenUrl, clientId, refreshToken]))
