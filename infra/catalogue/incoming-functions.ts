import { background } from './background.ts'
import { type FunctionEntry } from './deployed-function.ts'
import { fetchMails, putContents, putFiles, readFiles, readMessages, readSlots, recordAccess } from './grants.ts'

/** The functions that fetch messages, and run the rules for those that came in. */
export const incomingFunctions: readonly FunctionEntry[] = [
  background('incoming-rules', 'Runs the automatic rules for messages that came in', {
    timeoutSeconds: 60,
    memoryMb: 1024,
    scripts: true,
    grants: [
      ...recordAccess,
      readFiles,
      putFiles,
      putContents,
      readMessages,
      // It answers chats, and fetches their files, through the bot of the message.
      { on: 'settings-key', names: ['channel.*', 'MESSENGER_BOT_TOKEN'], actions: ['kms:Decrypt'] },
    ],
    environment: ['TABLE_NAME', 'FILES_BUCKET', 'SETTINGS_KEY_ARN'],
  }),
  background('mailbox-poll', 'Each minute: sends the mailboxes that are due to be fetched', {
    timeoutSeconds: 55,
    trigger: { kind: 'schedule', everyMinutes: 1 },
    grants: [{ on: 'table', actions: ['dynamodb:UpdateItem'] }, readSlots],
    environment: ['TABLE_NAME'],
  }),
  background('mailbox-fetch', 'Turns new mails of mailboxes into incoming messages', {
    // The connection is cut after 75 s, and the last mail is stored then.
    timeoutSeconds: 120,
    memoryMb: 1024,
    grants: fetchMails,
    environment: ['TABLE_NAME', 'FILES_BUCKET', 'SETTINGS_KEY_ARN'],
  }),
]
