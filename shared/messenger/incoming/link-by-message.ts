import type { Channel } from '../../channels/service.ts'
import { changeMessage, type IncomingMessage } from '../../incoming-messages/service.ts'
import { type Clock, isoTime } from '../../kernel/clock.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { commit, type Step } from '../../store/commit.ts'
import type { Store, Write } from '../../store/store.ts'
import { type LinkResult, linkChat } from '../link-chat.ts'
import { memberOf, textOf } from './member-of.ts'
import type { Update } from './read-update.ts'

/** The write that has a text sent to a chat through a channel, with retries and history. */
export type PrepareReply = (tenant: Tenant, channel: Channel, chatId: string, text: string) => Write

export interface LinkDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly prepareReply: PrepareReply
}

/** A code as `POST /api/user/messenger-link` makes it; anything else behind `/start` is for the tenant's rules. */
const command = /^\/start(?:@\w+)?\s+([\w-]{22})\s*$/

/** The code of a message that links a chat; undefined for every other message. */
export const linkCodeOf = ({ kind, body }: Pick<Update, 'kind' | 'body'>): string | undefined =>
  kind === 'message' ? command.exec(body)?.[1] : undefined

/** The message changed since it was read: whoever changed it has done the work. */
class Overtaken extends Error {}

const dealtWith = { actionId: 0, action: 'messenger-link', kind: 'ended' } as const

/**
 * Links the chat of a message with the user whose code it says, tells the chat what came of it, and marks the message as
 * dealt with: one transaction, so that a repeat finds either all or nothing done.
 */
export async function linkByMessage(
  deps: LinkDependencies,
  tenant: Tenant,
  message: IncomingMessage,
  channel: Channel,
  { content }: Update,
  code: string,
): Promise<void> {
  const { store, clock, prepareReply } = deps
  const { fromId: chatId } = message
  if (chatId === null) return
  const done: Step = {
    write: changeMessage(tenant, message, {
      isWaiting: false,
      outcomes: [...message.outcomes, { ...dealtWith, at: isoTime(clock.now()) }],
    }),
    refused: () => new Overtaken(),
  }
  const saying = (result: LinkResult['kind'] | 'in a group'): Step[] => [
    done,
    { write: prepareReply(tenant, channel, chatId, answers[result](tenant.name)) },
  ]
  // Everybody in a group would act as the user, and has seen the code.
  const isPrivate = textOf(memberOf(content, 'chat'), 'type') === 'private'
  try {
    const { kind } = isPrivate
      ? await linkChat(deps, tenant, code, chatId, saying('linked'))
      : { kind: 'in a group' as const }
    if (kind !== 'linked') await commit(store, tenant, saying(kind), clock.uuid())
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error
  }
}

const answers: Readonly<Record<LinkResult['kind'] | 'in a group', (company: string) => string>> = {
  linked: (company) => `Linked. You will receive messages of ${company} here.`,
  taken: () => 'This chat is linked with another user. Unlink it there first.',
  'unknown code': () => 'This code is not valid any more. Ask for a new one in your profile.',
  'in a group': () => 'A group cannot be linked. Send the code in a private chat with me, and ask for a new one first.',
}
