import type { Viewer } from '../../kernel/principal.ts'
import { type Channel, resolveChannel, resolveReplyChannel } from '../../messages/channels/service.ts'
import type { MessageHead } from '../../messages/incoming-messages/service.ts'
import { byHandId, rulesOf } from '../incoming-actions/service.ts'
import type { RecordRef, ReplyDependencies } from './dependencies.ts'
import { mailThatMade, newestMessages } from './record-mails.ts'
import { findRequester } from './requester.ts'

/** How a reply reaches somebody. */
export interface ReplyWay {
  readonly channel: Pick<Channel, 'id' | 'type'>
  /** An address, or the id of a chat. */
  readonly recipient: string
  readonly name: string | null
  /** Of a mail: the one that it answers. */
  readonly mail?: MessageHead
}

/** Why a reply cannot be sent; `isSilent`: nobody is meant to get one. */
export interface NoWay {
  readonly problem: string
  readonly isSilent?: true
}

/** The way of a public comment that does not say how it is sent: where the rule that made the record sends comments, or
 * a rule of its table where a person made it of a mail. */
export async function defaultWay(
  { store, config }: Pick<ReplyDependencies, 'store' | 'config'>,
  { tenant }: Pick<Viewer, 'tenant'>,
  record: RecordRef,
): Promise<ReplyWay | NoWay> {
  const rules = (await rulesOf(config, tenant)).filter(
    ({ sendComments, targetModel }) => sendComments && targetModel === record.model,
  )
  if (rules.length === 0) return nobody
  const mail = await mailThatMade(store, tenant, record, new Set([byHandId, ...rules.map(({ id }) => id)]))
  if (!isOfPerson(mail)) return nobody
  const resolved = await resolveChannel({ config }, tenant, ['email'], null)
  return 'problem' in resolved ? resolved : { channel: resolved.channel, ...senderOf(mail), mail }
}

const nobody: NoWay = { problem: 'No rule sends comments on this record.', isSilent: true }

/**
 * How a mail reaches whoever a record is about: who sent the mail that made it, else the latest one; else who sent it in the
 * portal, or whose address its fields name.
 */
export async function mailWay(
  services: ReplyDependencies,
  viewer: Viewer,
  record: RecordRef,
): Promise<ReplyWay | NoWay> {
  const { store, config } = services
  const { tenant } = viewer
  const resolved = await resolveChannel({ config }, tenant, ['email'], null)
  if ('problem' in resolved) return resolved
  const { channel } = resolved
  const made = await mailThatMade(store, tenant, record)
  const mail = isOfPerson(made) ? made : (await newestMessages(store, tenant, record)).find(isMailOfPerson)
  if (isOfPerson(mail)) return { channel, ...senderOf(mail), mail }
  const requester = await findRequester(services, viewer, record)
  if (requester) return { channel, recipient: requester.address, name: requester.name }
  return {
    problem:
      'Nobody is known here whom a mail would reach: no mail made or answers the record, and no field has an address.',
  }
}

/** How a chat message reaches whoever wrote to a bot about a record. */
export async function chatWay(
  { store, config }: ReplyDependencies,
  { tenant }: Viewer,
  record: RecordRef,
): Promise<ReplyWay | NoWay> {
  const message = (await newestMessages(store, tenant, record)).find(
    ({ channel, fromId }) => channel === 'messenger' && fromId !== null,
  )
  if (!message || message.fromId === null)
    return { problem: 'Nobody is known here whom a chat message would reach: nobody wrote about the record in a chat.' }
  const own = message.channelId === null ? undefined : await resolveReplyChannel({ config }, tenant, message.channelId)
  const resolved = own && 'channel' in own ? own : await resolveChannel({ config }, tenant, ['messenger'], null)
  return 'problem' in resolved
    ? resolved
    : { channel: resolved.channel, recipient: message.fromId, name: message.fromName }
}

type MailOfPerson = MessageHead & { readonly fromEmail: string }
/** Programs are not answered. */
const isOfPerson = (mail: MessageHead | undefined): mail is MailOfPerson =>
  mail !== undefined && mail.fromEmail !== null && mail.auto === undefined
const isMailOfPerson = (message: MessageHead): message is MailOfPerson =>
  message.channel === 'email' && isOfPerson(message)

const senderOf = ({ fromEmail, fromName }: MailOfPerson) => ({ recipient: fromEmail, name: fromName })
