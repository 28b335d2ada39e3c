/** The host by which settings name the mailboxes that `npm start` embeds: their port differs from start to start. */
export const localMailboxHost = 'local'

/** Why such a mailbox cannot be used on AWS. */
export const noLocalMailbox =
  'The host local is that of the mailboxes which npm start embeds, and which this deployment does not have. Name the host of your mailbox.'
