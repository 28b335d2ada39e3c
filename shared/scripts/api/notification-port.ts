import { type Clock, isoTime } from '../../kernel/clock.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Write } from '../../store/store.ts'
import { timeIds } from '../time-ids.ts'
import { type BellNotification, bellItem } from './bell-row.ts'
import { InvalidApiCall } from './invalid-api-call.ts'
import { type NotificationIntent, type NotificationMethod, readIntent } from './notification-intent.ts'

/** The script run that an intent comes from. */
export interface NotificationSource {
  readonly tenant: TenantRef
  readonly model: string
  readonly recordId: number | null
  readonly runId: string
}

/** The result of an intent: rows to store with the operation, or the reason why nothing is sent. */
export type Dispatched = { readonly writes: readonly Write[] } | { readonly problem: string }

/** Turns an intent into rows. Until there are channels, only the notification bell accepts intents. */
export type Dispatch = (intent: NotificationIntent, source: NotificationSource) => Promise<Dispatched>

/** All rows of an operation go into its one transaction, which may have a hundred. */
const maxIntentWrites = 70
const answersBool: ReadonlySet<NotificationMethod> = new Set(['sendSms', 'sendWebhook', 'publish'])

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

export function notificationPort(dispatch: Dispatch): NotificationPort {
  const writes: Write[] = []
  const accepted: NotificationIntent[] = []
  return {
    writes,
    accepted,
    async ask(method, args, source, report) {
      const intent = readIntent(method, args)
      const dispatched = await dispatch(intent, source)
      if ('problem' in dispatched) {
        report(`${method}: ${dispatched.problem}`)
      } else {
        if (writes.length + dispatched.writes.length > maxIntentWrites)
          throw new InvalidApiCall(
            `$api.${method}: the scripts of one write may notify ${maxIntentWrites} recipients at most.`,
          )
        writes.push(...dispatched.writes)
        accepted.push(intent)
      }
      return answersBool.has(method) ? !('problem' in dispatched) : null
    },
  }
}

const neededChannel: Readonly<Record<Exclude<NotificationMethod, 'sendPushNotification'>, string>> = {
  sendMessenger: 'outgoing messenger channel',
  replyMessenger: 'messenger channel',
  sendEmail: 'outgoing e-mail channel',
  sendSms: 'outgoing SMS channel',
  sendWebhook: 'outgoing webhook channel',
  publish: 'outgoing stream channel',
  sendToChannel: 'outgoing channel',
}

/** Dispatches without channels: the bell works, everything else is dropped with a reason (specification, Errors). */
export function dispatchWithoutChannels(clock: Pick<Clock, 'now' | 'random'>): Dispatch {
  const nextId = timeIds(clock)
  return async (intent, source) => {
    if (intent.method === 'sendPushNotification')
      return {
        writes: intent.user_ids.map((userId) => ({
          put: bellItem(source.tenant, bellNotification(userId, nextId(), intent, source, isoTime(clock.now()))),
        })),
      }
    const named = intent.channel === null ? '' : ` ${JSON.stringify(intent.channel)}`
    return { problem: `there is no ${neededChannel[intent.method]}${named}; nothing was sent.` }
  }
}

const bellNotification = (
  userId: number,
  id: number,
  intent: Extract<NotificationIntent, { method: 'sendPushNotification' }>,
  { model, recordId, runId }: NotificationSource,
  createdAt: string,
): BellNotification => ({
  id,
  userId,
  title: intent.title,
  text: intent.text,
  url: intent.url ?? null,
  category: intent.category ?? 'system',
  createdAt,
  model,
  recordId,
  runId,
})
