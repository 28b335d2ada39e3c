import { bellItem, type BellNotification } from '../bell/service.ts'
import { resolveChannel } from '../channels/service.ts'
import { type DeliverySource, prepareIntent } from '../deliveries/service.ts'
import { type Clock, isoTime } from '../kernel/clock.ts'
import { timeIds } from '../kernel/time-ids.ts'
import type { Dispatch, Dispatched, NotificationIntent, NotificationSource } from '../scripts/service.ts'
import type { Config } from '../store/config.ts'
import { type FindTemplate, messageOf, typesOf } from './message-of.ts'

interface Dependencies {
  readonly clock: Pick<Clock, 'now' | 'random' | 'uuid'>
  readonly config: Pick<Config, 'list'>
  readonly findTemplate: FindTemplate
}

/**
 * Dispatches what scripts send: to the bell, or to a channel, whose intent is stored with the operation. A channel or
 * template that is missing or disabled is a problem for the run log, and nothing is sent (specification, Errors).
 */
export function dispatchToChannels(deps: Dependencies): Dispatch {
  const { clock } = deps
  const nextId = timeIds(clock)
  return async (intent, source): Promise<Dispatched> => {
    const { tenant } = source
    if (intent.method === 'sendPushNotification') {
      const createdAt = isoTime(clock.now())
      return {
        writes: intent.user_ids.map((userId) => ({
          put: bellItem(tenant, bellNotification(userId, nextId(), intent, source, createdAt)),
        })),
      }
    }
    const resolved = await resolveChannel(deps, tenant, typesOf[intent.method], intent.channel)
    if ('problem' in resolved) return resolved
    const { channel } = resolved
    const message = await messageOf(deps.findTemplate, intent, source, channel)
    if (message.problem !== undefined) return { problem: message.problem }
    const { write, object } = prepareIntent(clock, tenant, { channel, ...message, source: sourceOf(source) })
    return { writes: [write], ...(object && { object }) }
  }
}

const sourceOf = ({ model, recordId, hook, processId, impersonation }: NotificationSource): DeliverySource => ({
  model,
  record_id: recordId,
  ...(hook !== undefined && { hook }),
  ...(processId !== undefined && { process_id: processId }),
  ...(impersonation && { user_id: impersonation.userId, impersonator_id: impersonation.impersonatorId }),
})

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
