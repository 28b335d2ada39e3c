import type { Tenant } from '../../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../../kernel/time/clock.ts'
import type { Store, Write } from '../../../platform/store/store.ts'
import { commit, type Step } from '../../../platform/store/writes/commit.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import type { Channel } from '../../channels/channel.ts'
import { findMessageHead } from '../../incoming-messages/find-message.ts'
import type { MessageHead } from '../../incoming-messages/message.ts'
import { changeMessage } from '../../incoming-messages/receive/save-message.ts'
import { linkChat, type LinkResult } from '../link-chat.ts'
import { memberOf, textOf, type Update } from './read-update.ts'

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

/** The message changed since it was read. */
class Overtaken extends Error {}

const dealtWith = { actionId: 0, action: 'messenger-link', kind: 'ended' } as const

/**
 * Links the chat of a message with the user whose code it says, tells the chat what came of it, and marks the message as
 * dealt with: one transaction, so that a repeat finds either all or nothing done. Does nothing when somebody else has
 * dealt with the message since it was read.
 */
export async function linkByMessage(
  links: LinkDependencies,
  tenant: Tenant,
  message: MessageHead & { readonly fromId: string },
  channel: Channel,
  { content }: Update,
  code: string,
): Promise<void> {
  const { store, clock, prepareReply } = links
  const { id, fromId: chatId } = message
  // Everybody in a group would act as the user, and has seen the code.
  const isPrivate = textOf(memberOf(content, 'chat'), 'type') === 'private'
  let head: MessageHead | undefined = message
  await retryWithJitter(clock, async (again) => {
    head ??= await findMessageHead(store, tenant, id)
    if (!head?.isWaiting) return
    const done = endWaiting(tenant, head, isoTime(clock.now()))
    const saying = (result: LinkResult['kind'] | 'in a group'): Step[] => [
      done,
      { write: prepareReply(tenant, channel, chatId, answers[result](tenant.name)) },
    ]
    try {
      const { kind } = isPrivate
        ? await linkChat(links, tenant, code, chatId, saying('linked'))
        : { kind: 'in a group' as const }
      if (kind !== 'linked') await commit(store, tenant, saying(kind), clock.uuid())
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error
      head = undefined
      again(error)
    }
  })
}

/** Marks a message as dealt with. */
const endWaiting = (tenant: Tenant, head: MessageHead, at: string): Step => ({
  write: changeMessage(tenant, head, { isWaiting: false, outcomes: [...head.outcomes, { ...dealtWith, at }] }),
  refused: () => new Overtaken('the message changed since it was read'),
})

const answers: Readonly<Record<LinkResult['kind'] | 'in a group', (company: string) => string>> = {
  linked: (company) => `Linked. You will receive messages of ${company} here.`,
  taken: () => 'This chat is linked with another user. Unlink it there first.',
  'unknown code': () => 'This code is not valid any more. Ask for a new one in your profile.',
  'in a group': () => 'A group cannot be linked. Send the code in a private chat with me, and ask for a new one first.',
}
