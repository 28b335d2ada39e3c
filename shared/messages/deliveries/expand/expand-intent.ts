import { addToLogScope, log } from '../../../kernel/runtime/log.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { intentKey } from '../../../platform/store/keys/messages/deliveries.ts'
import { reserveIds } from '../../../platform/store/sequence/sequence.ts'
import { dueSlot, removeSlot } from '../../../platform/store/slots.ts'
import type { Store } from '../../../platform/store/store.ts'
import { and, exists, isNew, lacks } from '../../../platform/store/writes/conditions.ts'
import { ConditionFailed, wasApplied } from '../../../platform/store/writes/refusals.ts'
import type { Notice } from '../../bell/bell-row.ts'
import { type AnswerBrake, answerBrake, type BrakeDependencies } from '../answers/answer-brake.ts'
import { deliveryItem, deliverySequence } from '../rows/delivery-row.ts'
import { type ContentObjects, type IntentContent, readContent } from '../rows/intent-content.ts'
import { type ChannelIntent, type Intent, isToChannel, readIntentRow } from '../rows/intent-row.ts'
import type { WakeDeliveries } from '../wake.ts'
import { draftDelivery } from './draft-delivery.ts'
import { expandHeld, type HeldDependencies } from './expand-held.ts'
import { userOfRecipient } from './recipient.ts'

export interface ExpansionDependencies extends HeldDependencies, BrakeDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly wake: WakeDeliveries
  readonly objects: ContentObjects
  /** Notifies people where they want it, once under each key. */
  readonly notify: (tenant: TenantRef, notices: readonly Notice[]) => Promise<void>
}

/** Rows written at the same time. */
const atOnce = 25
/** After so many recipients the intent notes how far its expansion is. */
const perStep = 100

/**
 * Makes one delivery for each recipient of an intent, and wakes them; or notifies its recipients. Idempotent, and repeatable
 * after a crash at any point: the ids are reserved once, a delivery that exists stays as it is, and a repeat continues
 * behind the last step. When the time is up, the sweeper has the rest done.
 */
export async function expandIntent(
  services: ExpansionDependencies,
  tenant: TenantRef,
  uuid: string,
  timeIsUp: () => boolean = () => false,
): Promise<void> {
  const { store } = services
  const item = await store.get(tenant, intentKey(tenant, uuid))
  const intent = item && readIntentRow(item)
  if (!intent || intent.isExpanded) return
  // Also when the sweeper woke it.
  if (intent.requestId !== undefined) addToLogScope({ request_id: intent.requestId })
  const content = await readContent(services.objects, item)
  const { held } = content
  if (held && isToChannel(intent)) {
    const firstId = intent.firstId ?? (await reserveFirstId(store, tenant, intent))
    return expandHeld(services, tenant, intent, { ...content, held }, firstId)
  }
  const serve = isToChannel(intent)
    ? await deliveriesOf(services, tenant, intent, content)
    : noticesOf(services, tenant, intent, content)
  const { length } = intent.recipients
  const note = (expression: string, values: Readonly<Record<string, number | boolean>>): Promise<void> =>
    store.write(tenant, { update: intentKey(tenant, uuid), change: { expression, values }, if: exists })
  for (let start = intent.expandedCount; start < length; start += perStep) {
    const end = start + perStep
    await serve(start, end)
    if (end >= length) break
    await note('SET expanded_count = :count', { ':count': end })
    if (timeIsUp()) return log.warn('an expansion was left to the sweeper: the time is up', { intent: uuid, done: end })
  }
  await note(`SET is_expanded = :yes REMOVE ${removeSlot(dueSlot)}`, { ':yes': true })
}

/** Serves the recipients from `start` to before `end`. */
type Serve = (start: number, end: number) => Promise<void>

async function deliveriesOf(
  services: ExpansionDependencies,
  tenant: TenantRef,
  intent: ChannelIntent,
  content: IntentContent,
): Promise<Serve> {
  const firstId = intent.firstId ?? (await reserveFirstId(services.store, tenant, intent))
  const brake = await answerBrake(services, tenant, intent)
  return (start, end) => makeDeliveries(services, tenant, intent, content, { firstId, brake, start, end })
}

async function makeDeliveries(
  services: ExpansionDependencies,
  tenant: TenantRef,
  intent: ChannelIntent,
  content: IntentContent,
  {
    firstId,
    brake,
    start: from,
    end,
  }: {
    readonly firstId: number
    readonly brake: AnswerBrake | undefined
    readonly start: number
    readonly end: number
  },
): Promise<void> {
  const { store, clock, wake } = services
  const now = clock.now()
  const waiting: number[] = []
  for (let start = from; start < end; start += atOnce)
    await Promise.all(
      intent.recipients.slice(start, Math.min(start + atOnce, end)).map(async (named, at) => {
        const n = start + at
        const delivery = await draftDelivery(services, tenant, intent, content, { named, n, firstId }, brake)
        await wasApplied(store.write(tenant, { put: deliveryItem(tenant, delivery, now), if: isNew }))
        if (delivery.status === 'queued') waiting.push(delivery.id)
      }),
    )
  await wake(tenant, { id: intent.channelId, type: intent.channelType }, waiting)
}

/** Notifies people of an intent that names no channel. */
const noticesOf =
  (
    { notify }: Pick<ExpansionDependencies, 'notify'>,
    tenant: TenantRef,
    { uuid, recipients, source, answers = source.process_id === undefined ? undefined : 'record', createdAtMs }: Intent,
    { subject = '', body, notice = { url: null, category: 'system' } }: IntentContent,
  ): Serve =>
  (start, end) => {
    const about = {
      model: source.model ?? '',
      recordId: source.record_id,
      createdAtMs,
      ...(source.is_internal && { isInternal: source.is_internal }),
      ...(source.process_id !== undefined && { isOfProcess: true as const }),
      ...(answers !== undefined && { answers }),
    }
    const notices = recipients.slice(start, end).flatMap((recipient): Notice[] => {
      const userId = userOfRecipient(recipient)
      return userId === undefined ? [] : [{ key: uuid, userId, title: subject, text: body, ...notice, ...about }]
    })
    return notify(tenant, notices)
  }

/** Reserves ids for the deliveries of an intent, and notes the first on it. Of two at a time, the first counts. */
async function reserveFirstId(store: Store, tenant: TenantRef, { uuid, recipients }: Intent): Promise<number> {
  const first = await reserveIds(store, tenant, deliverySequence, recipients.length)
  try {
    await store.write(tenant, {
      update: intentKey(tenant, uuid),
      change: { expression: 'SET first_id = :first', values: { ':first': first } },
      if: and(exists, lacks('first_id')),
    })
    return first
  } catch (error) {
    if (error instanceof ConditionFailed && error.existing) return readIntentRow(error.existing).firstId as number
    throw error
  }
}
