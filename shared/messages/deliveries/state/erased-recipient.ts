/** Why nothing is sent to an erased person. */
export const recipientErased = 'The recipient was erased.'

/** What stands for the address of an erased person. Nobody can own the domain (RFC 2606). */
export const erasedRecipient = (userId: number, channelType: string): string =>
  channelType === 'email' ? `erased-${userId}@erased.invalid` : `erased-${userId}`

/** Whether a recipient stands for an erased person. */
export const isErasedRecipient = (recipient: string): boolean => /^erased-\d+(?:@erased\.invalid)?$/.test(recipient)
