import { createHash } from 'node:crypto'
import { userOfAddress } from '../../../accounts/people/lookup/user-of-address.ts'
import { maxMailFiles } from '../../../kernel/limits/incoming.ts'
import { log } from '../../../kernel/runtime/log.ts'
import type { Tenant, TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { readMailId } from '../../../platform/mail/record-thread.ts'
import { keyHash } from '../../../platform/store/keys/key.ts'
import type { Store, Write } from '../../../platform/store/store.ts'
import { type KeptFile, storeFile } from '../../../tables/files/store-file.ts'
import { failBounced } from '../../deliveries/threads/fail-bounced.ts'
import type { Attachment } from '../../incoming-messages/message.ts'
import { newText } from '../../incoming-messages/new-text/new-text.ts'
import type { KnownText } from '../../incoming-messages/new-text/repeated-text.ts'
import { storeMessage } from '../../incoming-messages/receive/store-message.ts'
import { answeredTexts } from '../threads/answered-texts.ts'
import { knowMails } from '../threads/known-mail.ts'
import { placeMail, type PlaceDependencies } from '../threads/place-mail.ts'
import { authenticatedSender } from './authenticated-sender.ts'
import type { BounceReport } from './bounce-report.ts'
import { forwardedMail } from './forwarded-mail.ts'
import { readHead } from './mail-head.ts'
import { messageOfMail } from './parts/mail-payload.ts'
import type { MailPart, ParsedMail } from './parts/parsed-mail.ts'
import { readMail } from './read-mail.ts'

export interface MailDependencies extends PlaceDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly putObject: (key: string, body: Uint8Array) => Promise<void>
  /** In which the times of meetings are shown. */
  readonly timeZone?: (tenant: Tenant) => Promise<string>
  /** The name of the mail server whose judgement of a sender counts, as `Authentication-Results` has it. */
  readonly trustedServer: (tenant: Tenant) => Promise<string | undefined>
}

/** A mail as the mailbox held it. */
export interface ReceivedMail {
  /** The mailbox; 0, when left out, is the one of the settings. */
  readonly mailboxId?: number
  /** null: not even its headers could be fetched. With `problem` it may be the headers only. */
  readonly raw: Buffer | null
  readonly sizeBytes: number
  /** When the mail arrived in the mailbox. */
  readonly internalDate: Date
  /** Why the content is missing. */
  readonly problem?: string
}

/** A message claims its files in its own transaction, which takes 100 writes. */
const notKept = `Not kept: a message has at most ${maxMailFiles} files.`

/**
 * Stores a mail as an incoming message, in one transaction with `extraWrites`. Whatever it says, it is stored: what cannot be
 * parsed with its headers, the reason and the original. Everything before the transaction may be repeated; files of an
 * attempt that lost are removed after 24 hours. Throws TransactionRefused when a condition of `extraWrites` fails, and the
 * errors of the store.
 */
export async function storeMail(
  services: MailDependencies,
  tenant: Tenant,
  { mailboxId, raw, internalDate, problem }: ReceivedMail,
  extraWrites: readonly Write[],
): Promise<'stored' | 'known'> {
  const parsed = await readMail(raw ?? Buffer.alloc(0), await services.timeZone?.(tenant))
  const mail = problem === undefined ? parsed : { ...parsed, parseError: problem }
  if (mail.bounce) await failReturned(services, tenant, mail.bounce)
  const attachments = await storeFiles(services, tenant, mail, problem === undefined ? raw : null)
  const place = await placeMail(services, tenant, mail)
  const { answered, thread } = place
  const isNew = !place.isOwn && !thread && !answered
  const forwarded = isNew ? await forwardedMail(services, tenant, mail) : undefined
  // Whoever forwards it did not write it.
  const userId = forwarded ? undefined : (thread?.userId ?? (await provedSender(services, tenant, mail)))
  const known = { ...place, userId, bodyNew: await newIn(services, tenant, forwarded ?? mail, place.quoted) }
  const message = messageOfMail(forwarded ?? mail, attachments, known, timeOf(internalDate, services.clock))
  // A mail that answers one whose rules have yet to run waits for them in its conversation.
  const waits = answered && !thread && { answers: answered.messageId, conversation: answered.conversation }
  const stored = await storeMessage(
    services,
    tenant,
    { ...message, ...(mailboxId && { mailboxId }), ...waits, ...onceOf(mail, raw) },
    ({ id, conversation }) => [
      ...extraWrites,
      ...knowMails(tenant, forwarded ?? mail, { messageId: id, root: answered?.root ?? id, conversation }),
    ],
  )
  return stored.kind
}

/** What the servers on a mail's way add, for each address that it goes to. */
const ofItsWay =
  /^(?:received|received-spf|delivered-to|envelope-to|authentication-results|arc-|x-(?:original-to|delivered-to|envelope-|received|forwarded|google|gm-|spam|ms-exchange|microsoft|forefront))/

/**
 * What makes a mail the same one: it may arrive by several addresses of a company. Some programs send different mails with one
 * `Message-ID`.
 */
function onceOf({ messageId, headers, parseError }: ParsedMail, raw: Buffer | null): { readonly onceKey?: string } {
  if (messageId === null || parseError !== null || raw === null) return {}
  const written = Object.entries(headers).filter(([name]) => !ofItsWay.test(name))
  const content = createHash('sha256')
    .update(raw.subarray(readHead(raw).bodyAt))
    .digest('base64url')
  return { onceKey: `m${keyHash(JSON.stringify([messageId, written, content]))}` }
}

/** The user who sent a mail, when the mail server has proved that the sender's address is real. */
async function provedSender(
  { store, trustedServer }: MailDependencies,
  tenant: Tenant,
  mail: ParsedMail,
): Promise<number | undefined> {
  if (mail.headers['authentication-results'] === undefined) return undefined
  const address = authenticatedSender(mail, await trustedServer(tenant))
  return address === undefined ? undefined : userOfAddress(store, tenant, address)
}

/** What is new in a mail: it may quote those that it answers. */
async function newIn(
  services: MailDependencies,
  tenant: Tenant,
  mail: ParsedMail,
  quoted: KnownText | undefined,
): Promise<string> {
  const { body, subject, to, cc } = mail
  const known = [...(quoted ? [quoted] : []), ...(await answeredTexts(services, tenant, mail))]
  const isAnswer = mail.inReplyTo !== null || mail.references.length > 0 || known.length > 0
  return newText(body, subject, { known, isAnswer, writers: [...to, ...cc].flatMap(({ email }) => email ?? []) })
}

/** Servers answer invalid dates. */
const timeOf = (date: Date, clock: Pick<Clock, 'now'>): number => {
  const ms = date.getTime()
  return ms > 0 && ms < 8.64e15 ? ms : clock.now()
}

/** The files of a mail, and the mail itself when something of it was not read. */
async function storeFiles(
  services: MailDependencies,
  tenant: TenantRef,
  { attachments, truncated, parseError }: ParsedMail,
  raw: Buffer | null,
): Promise<Attachment[]> {
  const isWhole = truncated.length === 0 && parseError === null && attachments.length <= maxMailFiles
  const original: MailPart[] =
    isWhole || !raw?.length
      ? []
      : [{ name: 'original.eml', contentType: 'message/rfc822', bytes: raw, contentId: null }]
  const kept = maxMailFiles - original.length
  const stored: Attachment[] = []
  // One after the other: together they may be as large as the memory allows.
  for (const { name, contentType, bytes, contentId } of [...attachments.slice(0, kept), ...original])
    stored.push(describeFile(await storeFile(services, tenant, { name, contentType, bytes }), contentId))
  const rest = attachments.slice(kept).map(({ name, contentType, bytes }) => ({
    name,
    content_type: contentType,
    size: bytes.byteLength,
    path: null,
    problem: notKept,
  }))
  return [...stored, ...rest]
}

const describeFile = ({ name, contentType, size, path }: KeptFile, contentId: string | null): Attachment => ({
  name,
  content_type: contentType,
  size,
  path,
  ...(contentId !== null && { content_id: contentId }),
})

/**
 * Fails the deliveries of the mails that a bounce returns. A delay changes nothing: the server keeps trying. Only a signed
 * id proves that its writer knows the mail.
 */
async function failReturned(
  services: MailDependencies,
  tenant: TenantRef,
  { failures, originalIds }: BounceReport,
): Promise<void> {
  if (failures.length === 0) return
  const key = await services.threadKey(tenant)
  const ids = new Set(originalIds.flatMap((id) => readMailId(key, tenant.id, id) ?? []))
  for (const id of ids)
    if (await failBounced(services, tenant, id, failures)) log.info('a mail came back', { message_id: id })
}
