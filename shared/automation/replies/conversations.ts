import { userOfAddress } from '../../accounts/people/lookup/user-of-address.ts'
import { Forbidden, NotFound } from '../../kernel/failures/faults.ts'
import type { Viewer } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { readMailAddresses } from '../../messages/incoming-messages/mail-addresses.ts'
import { isMadeByHand, type MessageHead } from '../../messages/incoming-messages/message.ts'
import { recordKey } from '../../platform/store/keys/records.ts'
import { readMergedRecords } from '../../platform/store/ranges/merged-records.ts'
import { readChangedAt, readRecordHead } from '../../platform/store/rows/record-row.ts'
import { worksOn } from '../../records/comments/readers.ts'
import { type AnswerAddress, answerAddress, type IsOurs, readOwnAddresses } from './answer-address.ts'
import type { RecordRef, ReplyDependencies } from './dependencies.ts'
import { mailThatMade, newestMessages } from './record-mails.ts'
import { findRequester } from './requester.ts'

/** The messages of one customer about a record. */
export interface Conversation {
  /** The record that it is about: the one that is asked for, or one that was merged into it. */
  readonly id: number
  /** The newest first. */
  readonly messages: readonly MessageHead[]
}

/** A conversation whose customer a mail reaches. */
export interface MailConversation extends AnswerAddress {
  readonly id: number
  /** The customer's mail that is answered; undefined for somebody who wrote none. */
  readonly mail?: MessageHead
}

/** What tells whom a mail about a record reaches. */
export interface MailConversations {
  readonly all: readonly MailConversation[]
  /** The one that is answered where none is named: never everybody at once. */
  readonly byDefault?: MailConversation
}

/**
 * The conversations about a record: its own, then one for each record that was merged into it. What arrives since the
 * merge arrives at the record, and belongs to the conversation that it answers.
 */
export async function readConversations(
  { store }: Pick<ReplyDependencies, 'store'>,
  tenant: Tenant,
  { model, id }: RecordRef,
): Promise<readonly Conversation[]> {
  const [item] = await store.getMany(tenant, [recordKey(tenant, model, id)])
  // Nothing else changes a merged record.
  const merged = (await readMergedRecords(store, tenant, model, item)).map((one) => ({
    id: readRecordHead(one).id,
    mergedAtMs: Date.parse(readChangedAt(one)),
  }))
  const homes = [{ id }, ...merged]
  const read = await Promise.all(homes.map((home) => newestMessages(store, tenant, { model, id: home.id })))
  return divideMessages(homes, read)
}

/** A record where messages arrived; `mergedAtMs`: when it was merged. */
export interface Home {
  readonly id: number
  readonly mergedAtMs?: number
}

/** Divides the messages of a record, and of those merged into it, among their conversations. `read`: those at each record. */
export function divideMessages(
  homes: readonly Home[],
  read: readonly (readonly MessageHead[])[],
): readonly Conversation[] {
  const direct = read.map((messages, at) =>
    messages.filter((one) => (one.replyThrough ?? homes[at]?.id) === homes[at]?.id),
  )
  const firstOf = direct.map((messages) => messages.at(-1)?.fromEmail)
  const placed = read.flatMap((messages, at) =>
    messages.map((message) => ({ message, home: message.replyThrough ?? homes[whose(message, at)]?.id })),
  )
  return homes.map(({ id }) => ({
    id,
    messages: placed
      .filter(({ home }) => home === id)
      .map(({ message }) => message)
      .toSorted((a, b) => b.id - a.id),
  }))

  /** Where it is not known what somebody answered since a merge: whoever began another of the conversations continues it. */
  function whose({ fromEmail, receivedAtMs }: MessageHead, at: number): number {
    if (fromEmail === null || firstOf[at] === fromEmail) return at
    const own = homes.findIndex(
      ({ mergedAtMs = 0 }, index) => index > at && firstOf[index] === fromEmail && mergedAtMs <= receivedAtMs,
    )
    return own === -1 ? at : own
  }
}

/** Whom mails about a record reach, a customer each conversation. */
export async function readMailConversations(
  services: ReplyDependencies,
  viewer: Viewer,
  record: RecordRef,
): Promise<MailConversations> {
  const { config } = services
  const { tenant } = viewer
  const [conversations, isOurs] = await Promise.all([
    readConversations(services, tenant, record),
    readOwnAddresses(config, tenant),
  ])
  const isTeam = teamAmong(services, tenant, record)
  const found = await Promise.all(
    conversations.map((one) => reach(services, viewer, record.model, one, { isOurs, isTeam })),
  )
  const all = found.filter((one) => one !== undefined)
  // What arrived at the record itself, of whichever conversation, is what its reader has before them.
  const own = all.find(({ id }) => id === record.id)
  const arrived = all.filter(
    ({ id, mail }) => id === record.id || (mail?.replyTo?.id === record.id && mail.replyThrough),
  )
  const newest = latestOf(arrived) ?? own ?? latestOf(all) ?? all[0]
  return { all, ...(newest && { byDefault: newest }) }
}

const latestOf = (found: readonly MailConversation[]): MailConversation | undefined =>
  found.filter(({ mail }) => mail).toSorted((a, b) => (b.mail?.id ?? 0) - (a.mail?.id ?? 0))[0]

type IsTeam = (mail: Pick<MailOfPerson, 'fromEmail' | 'userId'>) => Promise<boolean>

/** Whom a mail in a conversation reaches: who wrote its latest mail from outside, else whom its record is about. */
async function reach(
  services: ReplyDependencies,
  viewer: Viewer,
  model: string,
  { id, messages }: Conversation,
  { isOurs, isTeam }: { readonly isOurs: IsOurs; readonly isTeam: IsTeam },
): Promise<MailConversation | undefined> {
  const { store } = services
  const { tenant } = viewer
  const made = await mailThatMade(store, tenant, { model, id })
  const madeBy = isOfPerson(made) ? made.fromEmail : undefined
  const mails = [...messages, ...(made && messages.every((one) => one.id !== made.id) ? [made] : [])]
  for (const mail of mails) {
    if (!isMailOfPerson(mail)) continue
    // Whoever asked is the customer, also where they are of the team.
    if (mail.fromEmail !== madeBy && (await isTeam(mail))) continue
    const answer = answerAddress(mail, await readMailAddresses(store, tenant, mail), isOurs)
    if (answer) return { id, ...answer, mail }
  }
  const requester = await requesterOf(services, viewer, { model, id })
  return requester && !isOurs(requester.address) ? { id, ...requester, copies: [] } : undefined
}

async function requesterOf(services: ReplyDependencies, viewer: Viewer, record: RecordRef) {
  try {
    return await findRequester(services, viewer, record)
  } catch (error) {
    // One that was merged may be hidden from the viewer.
    if (error instanceof NotFound || error instanceof Forbidden) return undefined
    throw error
  }
}

/** Tells who works on records of a table: what they write is no question of a customer. */
function teamAmong({ store, config, access }: ReplyDependencies, tenant: Tenant, { model, id }: RecordRef): IsTeam {
  let item: ReturnType<typeof store.get> | undefined
  const known = new Map<string, Promise<boolean>>()
  const look: IsTeam = async ({ fromEmail, userId }) => {
    const whose = userId ?? (await userOfAddress(store, tenant, fromEmail))
    if (whose === undefined) return false
    item ??= store.get(tenant, recordKey(tenant, model, id))
    return worksOn({ store, config, access }, tenant, model, await item, whose)
  }
  return (mail) => {
    const name = `${mail.userId ?? ''} ${mail.fromEmail}`
    const found = known.get(name) ?? look(mail)
    known.set(name, found)
    return found
  }
}

type MailOfPerson = MessageHead & { readonly fromEmail: string }
/** Programs are not answered, unless somebody made a request of what they sent. */
export const isOfPerson = (mail: MessageHead | undefined): mail is MailOfPerson =>
  mail !== undefined &&
  mail.fromEmail !== null &&
  (mail.auto === undefined || (mail.auto === 'reply' && isMadeByHand(mail)))
const isMailOfPerson = (message: MessageHead): message is MailOfPerson =>
  message.channel === 'email' && isOfPerson(message)
