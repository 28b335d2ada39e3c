import { type ChannelType, channelTypeOf } from '../../channels/channel-types.ts'
import { type UserAddress, userRecipient } from './recipient.ts'

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
