import type { Item } from '../../../platform/store/values/marshal.ts'
import { userOfRecipient } from '../expand/recipient.ts'
import { type Intent, readIntentHead } from '../rows/intent-row.ts'
import { erasedRecipient } from '../state/erased-recipient.ts'

/** A person who was erased, with the mail address and the chat of then, where they are known. */
export interface ErasedPerson {
  readonly userId: number
  readonly email: string | null
  readonly chat: string | null
}

/** Whether a recipient is the person: by id, by address, or by what an earlier run put in its place. */
export function isPerson(
  { userId, email, chat }: ErasedPerson,
  recipient: string,
  type: Intent['channelType'],
): boolean {
  if (userOfRecipient(recipient) === userId || recipient === erasedRecipient(userId, type)) return true
  if (type === 'messenger') return chat !== null && recipient === chat
  return email !== null && recipient.trim().toLowerCase() === email.toLowerCase()
}

/** The uuid of the intent that an item is, when it goes, or went, to the person; else undefined. */
export function intentTo(person: ErasedPerson, item: Item): string | undefined {
  if (item.kind !== 'intent') return undefined
  const { uuid, recipients, channelType } = readIntentHead(item)
  return recipients.some((one) => isPerson(person, one, channelType)) ? uuid : undefined
}
