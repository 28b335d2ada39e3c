import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { keyHash } from '../../../platform/store/keys/key.ts'
import { botSecretKey } from '../../../platform/store/keys/messages/messenger.ts'
import { deploymentWide, type Store, type Write } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'

/** Which bot calls: the channel of a tenant, 0 for the bot of its settings. */
export interface CallingBot {
  readonly tenant: TenantRef
  readonly channelId: number
  /** The id of the bot at the Bot API: the number at the start of its token. */
  readonly botId: string
}

/** The secret that the Bot API sends with each update: 256 random bits, behind the channel's id for whoever reads logs. */
export const makeBotSecret = (clock: Pick<Clock, 'bytes'>, channelId: number): string =>
  `c${channelId}_${clock.bytes(32).toString('base64url')}`

/** The part of a token that is no secret. */
export const botIdOf = (token: string): string => token.split(':', 1)[0] as string

const shape = /^c\d{1,16}_[\w-]{43}$/

export const hashOfSecret = (secret: string): string => keyHash(secret)

/** The row that finds a bot by its secret, of which it has only the hash. */
export const botSecretItem = (secretHash: string, { tenant, channelId, botId }: CallingBot): Write => ({
  put: {
    ...botSecretKey(secretHash),
    kind: 'bot_secret',
    v: 1,
    tenant_id: tenant.id,
    channel_id: channelId,
    bot_id: botId,
  },
})

const readBot = (item: Item): CallingBot => ({
  tenant: { id: Number(item.tenant_id) },
  channelId: Number(item.channel_id),
  botId: String(item.bot_id),
})

/**
 * The bot that a secret belongs to; undefined for none. The row is found by the hash, so that no comparison takes longer
 * the more of a guess is right.
 */
export async function findCallingBot(
  store: Pick<Store, 'get'>,
  secret: string | undefined,
): Promise<CallingBot | undefined> {
  if (secret === undefined || !shape.test(secret)) return undefined
  const item = await store.get(deploymentWide, botSecretKey(hashOfSecret(secret)))
  return item && readBot(item)
}
