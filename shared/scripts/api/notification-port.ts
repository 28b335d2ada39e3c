import { maxMessageBytesPerWrite, maxMessagesPerWrite, maxRecipientsPerMessage } from '../../kernel/limits/scripts.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { AskedTask } from '../../platform/mail/decision-link.ts'
import type { Write } from '../../platform/store/store.ts'
import { sizeOfWrite } from '../../platform/store/writes/transaction-budget.ts'
import { InvalidApiCall } from './invalid-api-call.ts'
import { answerOf, type NotificationIntent, type NotificationMethod, readIntent } from './notification-intent.ts'

/** The script run that an intent comes from. */
export interface NotificationSource {
  readonly tenant: Tenant
  readonly model: string
  readonly recordId: number | null
  readonly runId: string
  /** The record, flat, and who acts, for templates of mails. */
  readonly record?: Readonly<Record<string, unknown>> | null
  readonly user?: { readonly id: number; readonly name: string; readonly email: string } | null
  /** The kind of hook that the script is, if it is one. */
  readonly hook?: string
  /** The process instance that the script belongs to, if it does. */
  readonly processId?: number
  /** The task of a notification, and what it may end with. */
  readonly task?: AskedTask
  /** The channel whose message the script deals with; 0: the bot of the settings. */
  readonly incomingChannelId?: number
  /** An address that gets nothing: whoever sent it the message was a program, which would answer. */
  readonly suppressedRecipient?: string
  /** The addresses whose mail the script deals with: what it sends to them are automatic answers. */
  readonly answering?: readonly string[]
  /** Nothing is sent: the import that the script belongs to was told so. */
  readonly skipsNotifications?: true
  /** The administrator who acts as the user, and that user. */
  readonly impersonation?: { readonly userId: number; readonly impersonatorId: number }
}

/** An object that has to be stored before the rows that refer to it. */
interface PendingObject {
  readonly key: string
  readonly body: Uint8Array
}

/** The result of an intent: rows to store with the operation, or the reason why nothing is sent. */
export type Dispatched =
  | { readonly writes: readonly Write[]; readonly object?: PendingObject }
  | { readonly problem: string }

/** Turns an intent into rows. */
export type Dispatch = (intent: NotificationIntent, source: NotificationSource) => Promise<Dispatched>

/** Collects what the scripts of one operation send. It is stored, and so sent, by the operation's transaction. */
export interface NotificationPort {
  /** Answers what the method answers in a script. Calls `report` with the reason when nothing will be sent. */
  ask(
    method: NotificationMethod,
    args: readonly unknown[],
    source: NotificationSource,
    report: (problem: string) => void,
  ): Promise<boolean | null>
  readonly writes: readonly Write[]
  readonly accepted: readonly NotificationIntent[]
}

/** `putObject` stores what is too large for a row; undefined in a dry run, which stores nothing. */
export function notificationPort(
  dispatch: Dispatch,
  putObject?: (key: string, body: Uint8Array) => Promise<void>,
): NotificationPort {
  const writes: Write[] = []
  const accepted: NotificationIntent[] = []
  let bytes = 0
  return {
    writes,
    accepted,
    async ask(method, args, source, report) {
      const asked = readIntent(method, args)
      if (source.skipsNotifications) {
        report(`${method}: nothing is sent, because the import skips notifications.`)
        return answerOf(method, false)
      }
      const intent = withoutRecipient(asked, source.suppressedRecipient)
      if (!intent) {
        report(`${method}: the sender of an automatic message gets no answer.`)
        return answerOf(method, false)
      }
      if (recipientCount(intent) > maxRecipientsPerMessage)
        throw new InvalidApiCall(`$api.${method}: one message may have ${maxRecipientsPerMessage} recipients at most.`)
      const dispatched = await dispatch(intent, source)
      if ('problem' in dispatched) {
        report(`${method}: ${dispatched.problem}`)
      } else {
        if (writes.length + dispatched.writes.length > maxMessagesPerWrite)
          throw new InvalidApiCall(
            `$api.${method}: the scripts of one write may send ${maxMessagesPerWrite} messages at most.`,
          )
        bytes += dispatched.writes.reduce((sum, write) => sum + sizeOfWrite(write), 0)
        if (bytes > maxMessageBytesPerWrite)
          throw new InvalidApiCall(
            `$api.${method}: the messages of one write and their recipients take 1.5 MB at most. Send to fewer.`,
          )
        const { object } = dispatched
        // An operation that fails leaves the object behind; it expires.
        if (object) await putObject?.(object.key, object.body)
        writes.push(...dispatched.writes)
        accepted.push(intent)
      }
      return answerOf(method, !('problem' in dispatched))
    },
  }
}

function recipientCount(intent: NotificationIntent): number {
  if ('user_ids' in intent) return intent.user_ids.length
  if ('numbers' in intent) return intent.numbers.length
  return 'message' in intent ? intent.message.recipients.length : 1
}

/** The intent without an address that gets nothing; undefined when nobody is left. */
function withoutRecipient(intent: NotificationIntent, address: string | undefined): NotificationIntent | undefined {
  if (address === undefined) return intent
  const isIt = (recipient: string): boolean => recipient.trim().toLowerCase() === address.toLowerCase()
  if (intent.method === 'sendEmail') return isIt(intent.to) ? undefined : intent
  if (intent.method !== 'sendToChannel') return intent
  const recipients = intent.message.recipients.filter((recipient) => !isIt(recipient))
  return recipients.length === 0 && intent.message.recipients.length > 0
    ? undefined
    : { ...intent, message: { ...intent.message, recipients } }
}
