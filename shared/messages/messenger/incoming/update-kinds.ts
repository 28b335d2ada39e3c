const messageUpdates = [
  'message',
  'edited_message',
  'channel_post',
  'edited_channel_post',
  'business_message',
  'edited_business_message',
] as const

/**
 * The kinds of updates of the Bot API that make sense to a company: what its people write, edit, press, vote and react.
 * `setWebhook` asks for these. An update of another kind is stored all the same.
 */
export const allowedUpdates = [
  ...messageUpdates,
  'callback_query',
  'message_reaction',
  'poll',
  'poll_answer',
  'my_chat_member',
  'chat_join_request',
] as const

/** The kinds whose member is a message. */
export const messageKinds: ReadonlySet<string> = new Set(messageUpdates)
