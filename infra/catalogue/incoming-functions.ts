import { background } from './background.ts'
import { type DeployedFunction } from './deployed-function.ts'
import {
  fetchMails,
  putContents,
  putFiles,
  readFiles,
  readMessages,
  readSlots,
  recordAccess,
  sendIncoming,
  sendMailboxes,
} from './grants.ts'

/** The functions that fetch messages, and run the rules for those that came in. */
export const incomingFunctions: readonly DeployedFunction[] = [
  background('incoming-rules', 'Runs the automatic rules for messages that came in', {
    timeoutSeconds: 60,
    memoryMb: 1024,
    scripts: true,
    // One at a time, and few at a time of one tenant: slow rules hold up nobody else's.
    trigger: {
      kind: 'queue',
      queue: 'incoming',
      inOrder: true,
      batchSize: 1,
      maxConcurrency: 50,
      maxReceiveCount: 5,
    },
    grants: [
      ...recordAccess,
      readFiles,
      putFiles,
      putContents,
      readMessages,
      sendIncoming,
      // It answers chats, and fetches their files, through the bot of the message.
      { on: 'settings-key', names: ['channel.*', 'MESSENGER_BOT_TOKEN'], actions: ['kms:Decrypt'] },
    ],
    environment: ['TABLE_NAME', 'FILES_BUCKET', 'INCOMING_QUEUE_URL', 'SETTINGS_KEY_ARN'],
  }),
  background('mailbox-poll', 'Each minute: sends the mailboxes that are due to be fetched', {
    timeoutSeconds: 55,
    trigger: { kind: 'schedule', everyMinutes: 1 },
    grants: [{ on: 'table', actions: ['dynamodb:UpdateItem'] }, readSlots, sendMailboxes],
    environment: ['TABLE_NAME', 'MAILBOXES_QUEUE_URL'],
  }),
  background('mailbox-fetch', 'Turns new mails of mailboxes into incoming messages', {
    // The connection is cut after 75 s, and the last mail is stored then.
    timeoutSeconds: 120,
    memoryMb: 1024,
    // One at a time: a mail server that hangs holds up no other mailbox.
    trigger: { kind: 'queue', queue: 'mailboxes', batchSize: 1, maxConcurrency: 50, maxReceiveCount: 5 },
    grants: fetchMails,
    environment: ['TABLE_NAME', 'FILES_BUCKET', 'SETTINGS_KEY_ARN', 'MAILBOXES_QUEUE_URL'],
  }),
]
