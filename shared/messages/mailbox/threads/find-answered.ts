import { userOfAddress } from '../../../accounts/people/lookup/user-of-address.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { MailRecord } from '../../../platform/mail/record-thread.ts'
import { mailIdKey } from '../../../platform/store/keys/messages/incoming.ts'
import type { Store } from '../../../platform/store/store.ts'
import { findMessageHead } from '../../incoming-messages/find-message.ts'
import { recordOfMessage } from '../../incoming-messages/messages-of-record.ts'
import type { ParsedMail } from '../mail/parts/parsed-mail.ts'
import type { ForwardThread } from './forward-thread.ts'
import { companyMarkOf, type KnownMail, markOf, readKnownMail } from './known-mail.ts'

/** The mail that came in before and that another one answers. */
export interface AnsweredMail extends Pick<KnownMail, 'messageId' | 'root' | 'conversation'> {
  /** The record that it belongs to, as far as its rules have run. */
  readonly record?: MailRecord
  /** It was split off the record whose other mails it refers to. */
  readonly isSplit: boolean
  /** It is for the team alone. */
  readonly isInternal: boolean
  /** It answers a forward. */
  readonly forward?: ForwardThread
}

/** Ids that are looked for: the newest ones, and the one that began the thread. */
const maxIds = 20

/**
 * The newest mail among those that a mail refers to which came in here, when its sender belongs to that thread: somebody whom
 * a mail of the thread names, somebody of the same company, or a user. Whoever else knows an id joins nothing.
 */
export async function findAnswered(
  { store }: { readonly store: Pick<Store, 'get' | 'getMany'> },
  tenant: TenantRef,
  {
    messageId: ownId,
    inReplyTo,
    references,
    from,
  }: Pick<ParsedMail, 'messageId' | 'inReplyTo' | 'references' | 'from'>,
): Promise<AnsweredMail | undefined> {
  const sender = from?.email ?? null
  const ids = [...new Set([...(inReplyTo === null ? [] : [inReplyTo]), ...references.toReversed()])]
  const wanted = ids.length <= maxIds ? ids : [...ids.slice(0, maxIds - 1), ...ids.slice(-1)]
  // Answers to a mail may come in before it.
  const looked = [...new Set([...wanted, ...(ownId === null ? [] : [ownId])])]
  if (sender === null || looked.length === 0) return undefined
  const rows = await store.getMany(
    tenant,
    looked.map((id) => mailIdKey(tenant, id)),
  )
  const known = rows.flatMap((row, at) => {
    const mail = row && readKnownMail(row)
    return mail && (looked[at] !== ownId || mail.isReferred) ? [mail] : []
  })
  const newest = known[0]
  if (!newest) return undefined
  const thread = known.filter(({ root }) => root === newest.root)
  if (!takesPart(sender, thread) && (await userOfAddress(store, tenant, sender)) === undefined) return undefined
  const { messageId, root, conversation } = newest
  const [record, head] = await Promise.all([
    recordOfMessage(store, tenant, messageId),
    findMessageHead(store, tenant, messageId),
  ])
  const { isSplit = false, isInternal = false, forward, fromEmail } = head ?? {}
  return {
    messageId,
    root,
    conversation,
    isSplit,
    isInternal,
    ...(record && { record }),
    ...(forward !== undefined &&
      record && { forward: { forward, record, parties: fromEmail === null ? [] : [fromEmail ?? ''] } }),
  }
}

function takesPart(sender: string, thread: readonly KnownMail[]): boolean {
  const [person, company] = [markOf(sender), companyMarkOf(sender)]
  return thread.some(({ people, companies }) => people.has(person) || (company !== undefined && companies.has(company)))
}
