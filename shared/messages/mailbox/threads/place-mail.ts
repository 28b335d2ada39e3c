import type { Tenant, TenantRef } from '../../../kernel/tenancy.ts'
import { readMailId } from '../../../platform/mail/record-thread.ts'
import { numbersIn } from '../../../platform/mail/subject-number.ts'
import type { Store } from '../../../platform/store/store.ts'
import { findDelivery, recordOfSource } from '../../deliveries/threads/find-delivery.ts'
import { continuedRecord, livingRecord } from '../../incoming-messages/messages-of-record.ts'
import type { KnownText } from '../../incoming-messages/new-text/repeated-text.ts'
import { findThread, type Thread, type ThreadDependencies } from '../mail/find-thread.ts'
import type { ParsedMail } from '../mail/parts/parsed-mail.ts'
import type { TextDependencies } from './answered-texts.ts'
import { type AnsweredMail, findAnswered } from './find-answered.ts'
import { findNumbered } from './find-numbered.ts'
import { findQuoted } from './find-quoted.ts'
import { answerToForward } from './forward-thread.ts'

export interface PlaceDependencies extends ThreadDependencies, Pick<TextDependencies, 'fetchObject'> {
  readonly store: Pick<Store, 'get' | 'getMany' | 'query'>
  /** The names of the tables whose records a number in a subject may be of. */
  readonly tableNames?: (tenant: Tenant) => Promise<readonly string[]>
}

/** Where a mail belongs. */
export interface MailPlace {
  readonly thread?: Thread
  /** The mail that came in before and that it answers. */
  readonly answered?: AnsweredMail
  /** What it quotes, where that is how its record was found. */
  readonly quoted?: KnownText
  /** It left here, and came back: by a copy, a group or a rule of a mailbox. */
  readonly isOwn?: true
}

/**
 * Where a mail belongs: what it is itself when it left here, else the record of the mail that it answers, by its headers, the
 * number in its subject, or what it quotes.
 */
export async function placeMail(services: PlaceDependencies, tenant: Tenant, mail: ParsedMail): Promise<MailPlace> {
  const own = await ownPlace(services, tenant, mail)
  if (own) return own
  const signed = await findThread(services, tenant, mail)
  if (signed?.isInternal) return { thread: signed }
  const answered = signed && signed.isDirect !== false ? undefined : await findAnswered(services, tenant, mail)
  // A mail that answers one of somebody else belongs to the record that this one was split off into.
  const isOfSplit = signed !== undefined && answered?.isSplit === true
  const joined = await joinedThread(services, tenant, answered, mail.from?.email ?? null)
  const thread = isOfSplit || answered?.isInternal ? (joined ?? signed) : (signed ?? joined)
  if (!thread && !answered) return toldPlace(services, tenant, mail)
  return { ...(thread && { thread }), ...(answered && { answered }) }
}

/** The record that a mail of ours is about, which came back. */
async function ownPlace(
  { store, threadKey }: PlaceDependencies,
  tenant: Tenant,
  { messageId }: Pick<ParsedMail, 'messageId'>,
): Promise<MailPlace | undefined> {
  if (messageId === null) return undefined
  const own = readMailId(await threadKey(tenant), tenant.id, messageId)
  const delivery = own === undefined ? undefined : await findDelivery(store, tenant, own)
  if (!delivery) return undefined
  const record = recordOfSource(delivery.source)
  const thread = record && (await livingRecord(store, tenant, record))
  return { isOwn: true, ...(thread && { thread }) }
}

/** The record of the mail that a mail answers, if that is known and lives. */
async function joinedThread(
  { store }: Pick<PlaceDependencies, 'store'>,
  tenant: TenantRef,
  answered: AnsweredMail | undefined,
  sender: string | null,
): Promise<Thread | undefined> {
  if (answered?.forward) return answerToForward(store, tenant, answered.forward, sender)
  const living = answered?.record && (await continuedRecord(store, tenant, answered.record))
  return living && { ...living, ...(answered?.isInternal && { isInternal: true }) }
}

/** The record whose number a mail has, or about which it quotes a mail of ours. */
async function toldPlace(services: PlaceDependencies, tenant: Tenant, mail: ParsedMail): Promise<MailPlace> {
  const { store, tableNames } = services
  const numbered =
    tableNames && numbersIn(mail.subject ?? '').length > 0
      ? await findNumbered(store, tenant, await tableNames(tenant), mail)
      : undefined
  if (numbered) return { thread: numbered }
  const found = await findQuoted(services, tenant, mail)
  return found ? { thread: found.thread, quoted: found.text } : {}
}
