import { userOfChat } from '../../../accounts/people/messenger-chat.ts'
import { mayFail } from '../../../kernel/runtime/log.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Config } from '../../../platform/store/config.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import type { Channel } from '../../channels/channel.ts'
import type { channelOpener } from '../../channels/config/channel-secrets.ts'
import { findEnabledChannel } from '../../channels/list-channels.ts'
import { findMessage } from '../../incoming-messages/find-message.ts'
import type { Attachment, IncomingMessage } from '../../incoming-messages/message.ts'
import { attachFiles } from '../../incoming-messages/receive/attach-files.ts'
import type { MessageObjects } from '../../incoming-messages/rows/content-row.ts'
import { channelOfChat, moveBotOfChat, rememberBotOfChat } from '../chat-bot.ts'
import { unlinkChat } from '../link-chat.ts'
import { type FetchDependencies, fetchFile, filesOfUpdate } from './files-of-update.ts'
import { linkByMessage, linkCodeOf, type LinkDependencies } from './link-by-message.ts'
import { idOf, memberOf, messageKinds, textOf, type Update, updateOf } from './read-update.ts'

export interface PreparingDependencies extends FetchDependencies, LinkDependencies, MessageObjects {
  readonly config: Pick<Config, 'get' | 'list'>
  readonly openChannel: ReturnType<typeof channelOpener>
}

/**
 * What rules get of a message. `done`: there is nothing for them, as the message linked a chat, or somebody else
 * processed it meanwhile. `userId`: whose linked chat the sender's is.
 */
export type PreparedMessage =
  | { readonly kind: 'ready'; readonly message: IncomingMessage; readonly userId?: number }
  | { readonly kind: 'done' }

/**
 * Does what the messenger itself demands of a message that waits, before rules see it: links a chat by `/start <code>`,
 * remembers the bot of the chat, unlinks one that blocked the bot, stops the spinning of a pressed button, and fetches
 * files. Safe to repeat after a crash anywhere. A message of another channel is ready as it is.
 */
export async function prepareMessengerMessage(
  services: PreparingDependencies,
  tenant: Tenant,
  message: IncomingMessage,
): Promise<PreparedMessage> {
  const update = message.channel === 'messenger' ? updateOf(message.payload) : undefined
  if (!update || message.channelId === null) return { kind: 'ready', message }
  const found = { id: message.channelId, type: 'messenger' } as const
  const { channel } = await findEnabledChannel(services, tenant, found)
  await followChat(services, tenant, message, update)
  const code = linkCodeOf(update)
  const { fromId: chatId } = message
  if (code !== undefined && chatId !== null && channel) {
    await linkByMessage(services, tenant, { ...message, fromId: chatId }, channel, update, code)
    return { kind: 'done' }
  }
  if (channel) await answerButton(services, tenant, channel, update)
  const complete = channel ? await withFiles(services, tenant, message, channel, update) : message
  if (!complete) return { kind: 'done' }
  const userId = await userOf(services, tenant, update)
  return { kind: 'ready', message: complete, ...(userId !== undefined && { userId }) }
}

/** Keeps what is known of the chat in step with what happened in it. */
async function followChat(
  services: PreparingDependencies,
  tenant: Tenant,
  { fromId: chatId, channelId, receivedAtMs: wroteAtMs }: IncomingMessage,
  { kind, content }: Update,
): Promise<void> {
  if (chatId === null || channelId === null) return
  const { store } = services
  if (messageKinds.has(kind) || kind === 'callback_query')
    await rememberBotOfChat(store, tenant, chatId, { channelId, wroteAtMs })
  const movedTo = idOf(content, 'migrate_to_chat_id')
  if (movedTo !== undefined) await moveBotOfChat(store, tenant, chatId, movedTo)
  if (kind === 'my_chat_member' && textOf(memberOf(content, 'new_chat_member'), 'status') === 'kicked')
    await unlinkBlocked(services, tenant, chatId, channelId)
}

/** A person who blocks one bot of several is still reached by the one they wrote to last. */
async function unlinkBlocked(
  services: PreparingDependencies,
  tenant: Tenant,
  chatId: string,
  channelId: number,
): Promise<void> {
  const current = await channelOfChat(services.store, tenant, chatId)
  if (current === undefined || current === channelId) await unlinkChat(services, tenant, chatId)
}

/** The Bot API shows a pressed button as busy until it is answered. A second answer is refused, and harmless. */
async function answerButton(
  { openChannel, callBot }: PreparingDependencies,
  tenant: Tenant,
  channel: Channel,
  { kind, content }: Update,
): Promise<void> {
  const callback_query_id = kind === 'callback_query' ? textOf(content, 'id') : undefined
  if (callback_query_id === undefined) return
  await mayFail('answer a button', async () => {
    const { config: bot } = await openChannel<'messenger'>(tenant, channel)
    await callBot(bot, 'answerCallbackQuery', { callback_query_id })
  })
}

/**
 * The message with its files, also when somebody changed it while they were fetched; undefined when somebody else has
 * dealt with it since.
 */
async function withFiles(
  services: PreparingDependencies,
  tenant: Tenant,
  message: IncomingMessage,
  channel: Channel,
  update: Update,
): Promise<IncomingMessage | undefined> {
  const files = filesOfUpdate(update)
  const isComplete = ({ attachments }: IncomingMessage): boolean => attachments.length === files.length
  if (isComplete(message)) return message
  const { config: bot } = await services.openChannel<'messenger'>(tenant, channel)
  const fetched: Attachment[] = []
  for (const file of files) fetched.push(await fetchFile(services, tenant, bot, file))
  let current: IncomingMessage | undefined = message
  return retryWithJitter(services.clock, async (again) => {
    current ??= await findMessage(services, tenant, message.id)
    if (!current?.isWaiting) return undefined
    if (isComplete(current)) return current
    const attached = await attachFiles(services, tenant, current, fetched)
    current = undefined
    return attached ?? again(new Error('the message changed since it was read'))
  })
}

/** The user whose linked chat the sender writes from, also in a group. Whoever speaks as a chat is nobody. */
async function userOf(
  { store }: PreparingDependencies,
  tenant: Tenant,
  { content }: Update,
): Promise<number | undefined> {
  const person = memberOf(content, 'sender_chat') ? undefined : (memberOf(content, 'from') ?? memberOf(content, 'user'))
  const id = idOf(person)
  return id === undefined ? undefined : userOfChat(store, tenant, id)
}
