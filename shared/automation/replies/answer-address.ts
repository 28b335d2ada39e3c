import type { Tenant } from '../../kernel/tenancy.ts'
import { channelOf } from '../../messages/channels/channel.ts'
import { findLegacyChannel } from '../../messages/channels/legacy-channel.ts'
import type { MailAddresses, MessageHead } from '../../messages/incoming-messages/message.ts'
import { addressesOf, mailboxesOf } from '../../messages/mailboxes/mailbox.ts'
import { normalAddress } from '../../platform/mail/normal-address.ts'
import { storedSettings } from '../../platform/settings/read-settings.ts'
import type { SettingName } from '../../platform/settings/setting-values.ts'
import type { Config } from '../../platform/store/config.ts'

/** Whom the answer to a mail reaches. */
export interface AnswerAddress {
  readonly address: string
  readonly name: string | null
  /** Whom else the mail names, for copies. */
  readonly copies: readonly string[]
}

/**
 * Whom the answer to a mail reaches: its Reply-To, else its sender (RFC 5322 §3.6.2); the others that it names are for
 * copies. Never an address of ours; undefined when no other is left.
 */
export function answerAddress(
  { fromEmail, fromName }: Pick<MessageHead, 'fromEmail' | 'fromName'>,
  { replyTo, others, takenAt }: MailAddresses,
  isOurs: IsOurs,
): AnswerAddress | undefined {
  const wanted = replyTo.filter(({ email }) => !isOurs(email))
  const sender = fromEmail !== null && !isOurs(fromEmail) ? { email: fromEmail, name: fromName } : undefined
  const to = wanted[0] ?? sender
  if (!to) return undefined
  const named = [...wanted.map(({ email }) => email), ...others]
  // A server took the mail for us at these: aliases and groups that lead here.
  const copies = named.filter((one) => !isOurs(one) && !takenAt.includes(one) && !isSame(one, to.email))
  return { address: to.email, name: to.name, copies: [...new Map(copies.map((one) => [normal(one), one])).values()] }
}

const normal = (address: string): string => normalAddress(address) ?? address.toLowerCase()
const isSame = (one: string, other: string): boolean => normal(one) === normal(other)

/** The settings that may hold an address at which the tenant gets or sends mails. */
const addressSettings = [
  'MAIL_FROM_ADDRESS',
  'MAIL_USERNAME',
  'IMAP_USERNAME',
] as const satisfies readonly SettingName[]

/** Tells the addresses of the tenant itself: an answer that went to one of them would come back to us. */
export type IsOurs = (address: string) => boolean

/** Reads at which addresses the tenant gets and sends mails: those of its mailboxes, its channels and its settings. */
export async function readOwnAddresses(config: Pick<Config, 'list'>, tenant: Tenant): Promise<IsOurs> {
  const [boxes, channels, legacy, settings] = await Promise.all([
    mailboxesOf(config, tenant),
    config.list(tenant, 'CHANNEL', channelOf),
    findLegacyChannel(config, tenant, 'email'),
    storedSettings(config, tenant),
  ])
  const senders = [...channels, ...(legacy ? [legacy] : [])].filter(({ type }) => type === 'email')
  const values = [
    ...boxes.flatMap(addressesOf),
    ...senders.map(({ config: { from_address: from } }) => from),
    ...addressSettings.map((name) => settings.get(name)?.value),
  ]
  return ownAmong(values.filter((value) => typeof value === 'string'))
}

/** Compares without case, and without what follows a `+`, which leads to the same mailbox. */
export function ownAmong(addresses: readonly string[]): IsOurs {
  const own = new Set(addresses.flatMap((address) => normalAddress(address) ?? []))
  return (address) => {
    const known = normalAddress(address)
    return known !== null && (own.has(known) || own.has(known.replace(/\+[^@]*@/, '@')))
  }
}
