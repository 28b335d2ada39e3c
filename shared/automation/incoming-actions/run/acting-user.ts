import { userOfChat } from '../../../accounts/people/messenger-chat.ts'
import { findUser } from '../../../accounts/people/user.ts'
import { unrestricted } from '../../../kernel/principal.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import type { IncomingMessage, MessageHead } from '../../../messages/incoming-messages/message.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Actor } from '../../../records/records/actor.ts'
import type { IncomingAction } from '../incoming-action.ts'

/** Who acts: with a name, because scripts and history show it. */
export type RuleActor = Actor & { readonly name: string; readonly email: string }

/**
 * In whose name a rule deals with a message: its sender where that is proved, else the user who saved the rule last. No
 * permission limits a rule, as none limits scripts.
 */
export async function actingUser(
  store: Pick<Store, 'get'>,
  tenant: Tenant,
  message: MessageHead & { readonly payload?: IncomingMessage['payload'] },
  { savedBy }: Pick<IncomingAction, 'savedBy'>,
): Promise<RuleActor> {
  const userId = message.userId ?? (await userOfSender(store, tenant, message)) ?? savedBy
  const user = await findUser(store, tenant, userId)
  const actor = ruleActor(tenant, message, { userId, name: user?.name, email: user?.email, roles: user?.roles })
  const answering = message.channel === 'email' ? senderAddresses(message) : []
  return { ...actor, ...(answering.length > 0 && { answering }) }
}

/** Where answers to a mail go: the addresses that it names as its sender. */
const senderAddresses = ({
  fromEmail,
  payload,
}: Pick<MessageHead, 'fromEmail'> & { readonly payload?: IncomingMessage['payload'] }): string[] =>
  [...new Set([fromEmail, payload?.reply_to_address])].filter((address) => typeof address === 'string')

/** A person as the actor of a rule. Nothing is sent to whoever sent an automatic message: programs would answer. */
export const ruleActor = (
  tenant: Tenant,
  { auto, fromEmail }: Pick<MessageHead, 'auto' | 'fromEmail'>,
  {
    userId,
    impersonatorId,
    name,
    email,
    roles,
  }: {
    readonly userId: number
    readonly impersonatorId?: number
    readonly name?: string
    readonly email?: string | null
    readonly roles?: readonly string[]
  },
): RuleActor => ({
  ...unrestricted,
  tenant,
  userId,
  name: name ?? '',
  email: email ?? '',
  roles: roles ?? [],
  source: 'rule',
  ...(impersonatorId !== undefined && { impersonatorId }),
  ...(auto !== undefined && fromEmail !== null && { suppressedRecipient: fromEmail }),
})

/** The user whose linked chat a message came from. */
const userOfSender = async (
  store: Pick<Store, 'get'>,
  tenant: Tenant,
  { channel, fromId }: MessageHead,
): Promise<number | undefined> =>
  channel === 'messenger' && fromId !== null ? userOfChat(store, tenant, fromId) : undefined
