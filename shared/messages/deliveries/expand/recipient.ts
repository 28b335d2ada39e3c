import type { TenantRef } from '../../../kernel/tenancy.ts'
import { type ChannelType, channelTypeOf } from '../../channels/channel-types.ts'
import { isErasedRecipient, recipientErased } from '../state/erased-recipient.ts'

/** Where a user receives messages of a type, or why they cannot. */
export type UserAddress =
  | { readonly address: string; readonly locale: string | null; readonly problem?: never }
  | { readonly problem: string; readonly address?: never }

/** Looks up the address of a user of a tenant for a type of channel. */
export type FindAddress = (tenant: TenantRef, userId: number, type: ChannelType) => Promise<UserAddress>
/** The language of whoever has a mail address, if it is a user of the tenant. */
export type FindLocale = (tenant: TenantRef, address: string) => Promise<string | null>

/** A recipient of an intent after its address was looked up. */
export interface Recipient {
  readonly address: string
  readonly locale: string | null
  /** Why nothing can be sent to it. */
  readonly problem?: string
}

/** How an intent names a user whose address is not known yet. */
export const userRecipient = (userId: number): string => `user:${userId}`

/** The user that a recipient names; undefined for an address. */
export const userOfRecipient = (recipient: string): number | undefined => {
  const id = /^user:(\d+)$/.exec(recipient)?.[1]
  return id === undefined ? undefined : Number(id)
}

/** The address of a recipient. A user without one keeps its name, with the reason. */
export async function resolveRecipient(
  { findAddress, findLocale }: { readonly findAddress: FindAddress; readonly findLocale: FindLocale },
  tenant: TenantRef,
  type: ChannelType,
  recipient: string,
  isTranslated: boolean,
): Promise<Recipient> {
  const userId = userOfRecipient(recipient)
  if (userId !== undefined) {
    const found = await findAddress(tenant, userId, type)
    return found.problem === undefined ? found : { address: recipient, locale: null, problem: found.problem }
  }
  if (isErasedRecipient(recipient)) return { address: recipient, locale: null, problem: recipientErased }
  return { address: recipient, locale: isTranslated && type === 'email' ? await findLocale(tenant, recipient) : null }
}

/** Of a user: what says where messages go. */
interface Reachable {
  readonly isActive: boolean
  readonly email: string | null
  readonly messengerChat: string | null
  readonly locale: string | null
}

/** Where a user receives messages of a type of channel, or why they cannot. */
export function addressOfUser(user: Reachable | undefined, userId: number, type: ChannelType): UserAddress {
  const { content, userAddress } = channelTypeOf(type)
  // The channel is the receiver: this is the name of its place, and looks like a user by chance.
  if (content === 'json') return { address: userRecipient(userId), locale: null }
  if (!user?.isActive) return { problem: `There is no active user ${userId}.` }
  if (userAddress === undefined)
    return { problem: `Users have no address for messages of the type ${type}: name the address instead of the user.` }
  const isChat = userAddress === 'chat'
  const address = isChat ? user.messengerChat : user.email
  if (address !== null) return { address, locale: user.locale }
  return {
    problem: isChat
      ? `The user ${userId} has linked no chat of the messenger.`
      : `The user ${userId} has no mail address.`,
  }
}
