export { archivedMessages } from './archived-messages.ts'
export { attachFiles } from './receive/attach-files.ts'
export { describeMessage } from './describe-message.ts'
export { earliestMessages } from './earliest-messages.ts'
export {
  findMessage,
  findMessageHead,
  messageReader,
  readMessage,
  type ReadingDependencies,
  readsAllMessages,
  requireMessage,
} from './find-message.ts'
export { hideRecords, type RecordSight } from './hide-records.ts'
export { listMessages } from './list-messages.ts'
export {
  type Attachment,
  type IncomingMessage,
  isProcessed,
  type MailAddresses,
  type MessageHead,
  messageSequence,
  type NewMessage,
  type RecordRef,
  type RuleOutcome,
} from './message.ts'
export { mailAddressesOf, readMailAddresses } from './mail-addresses.ts'
export { mailSendersOf } from './mail-senders-of.ts'
export { messagesOfRecord } from './messages-of-record.ts'
export { readContents } from './read-contents.ts'
export { receiveMessage } from './receive/receive-message.ts'
export type { MessageObjects } from './rows/content-row.ts'
export { livingRecord, type LivingRecord, recordOfMessage } from './record-of-message.ts'
export { changeMessage, joinMessage, noteOutcome, putToWait } from './receive/save-message.ts'
export { splitMessages } from './receive/split-messages.ts'
export { requireReadable, storeMessage, type StoringDependencies } from './receive/store-message.ts'
export { waitingMessages } from './waiting-messages.ts'
