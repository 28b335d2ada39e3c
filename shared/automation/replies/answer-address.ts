import type { MailAddresses, MessageHead } from '../../messages/incoming-messages/service.ts'
import { normalAddress } from '../../platform/mail/normal-address.ts'
import type { IsOurs } from './own-addresses.ts'

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
