import type { Notice } from '../../bell/service.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { and, exists, isNew, lacks } from '../../store/conditions.ts'
import { intentKey } from '../../store/keys/deliveries.ts'
import { ConditionFailed, wasApplied } from '../../store/refusals.ts'
import { reserveIds } from '../../store/sequence/sequence.ts'
import { dueSlot, removeSlot } from '../../store/slots.ts'
import type { Store } from '../../store/store.ts'
import { deliveryItem, deliverySequence } from '../rows/delivery-row.ts'
import { type ContentObjects, type IntentContent, readContent } from '../rows/intent-content.ts'
import { type ChannelIntent, type Intent, isToChannel, readIntentRow } from '../rows/intent-row.ts'
import type { WakeDeliveries } from '../wake.ts'
import { type DraftDependencies, draftDelivery } from './draft-delivery.ts'
import { userOfRecipient } from './recipient.ts'

export interface ExpansionDependencies extends DraftDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly wake: WakeDeliveries
  readonly objects: ContentObjects
  /** Notifies people where they want it, once under each key. */
  readonly notify: (tenant: TenantRef, notices: readonly Notice[]) => Promise<void>
}

/** Rows written at the same time. */
const perStep = 25

/**
 * Makes one delivery for each recipient of an intent, and wakes them; or notifies its recipients. Idempotent, and repeatable after a crash at any
 * point: the ids are reserved once, and a delivery that exists stays as it is.
 */
export async function expandIntent(deps: ExpansionDependencies, tenant: TenantRef, uuid: string): Promise<void> {
  const { store } = deps
  const item = await store.get(tenant, intentKey(tenant, uuid))
  const intent = item && readIntentRow(item)
  if (!intent || intent.isExpanded) return
  const content = await readContent(deps.objects, item)
  if (isToChannel(intent)) await makeDeliveries(deps, tenant, intent, content)
  else await deps.notify(tenant, noticesOf(intent, content))
  await store.write(tenant, {
    update: intentKey(tenant, uuid),
    change: { expression: `SET is_expanded = :yes REMOVE ${removeSlot(dueSlot)}`, values: { ':yes': true } },
    if: exists,
  })
}

async function makeDeliveries(
  deps: ExpansionDependencies,
  tenant: TenantRef,
  intent: ChannelIntent,
  content: IntentContent,
): Promise<void> {
  const { store, clock, wake } = deps
  const firstId = intent.firstId ?? (await reserveFirstId(store, tenant, intent))
  const now = clock.now()
  const waiting: number[] = []
  for (let start = 0; start < intent.recipients.length; start += perStep)
    await Promise.all(
      intent.recipients.slice(start, start + perStep).map(async (named, at) => {
        const n = start + at
        const delivery = await draftDelivery(deps, tenant, intent, content, named, n, firstId)
        await wasApplied(store.write(tenant, { put: deliveryItem(tenant, delivery, now), if: isNew }))
        if (delivery.status === 'queued') waiting.push(delivery.id)
      }),
    )
  await wake(tenant, { id: intent.channelId, type: intent.channelType }, waiting)
}

/** What people are notified of by an intent that names no channel. */
const noticesOf = (
  { uuid, recipients, source, createdAtMs }: Intent,
  { subject = '', body, notice = { url: null, category: 'system' } }: IntentContent,
): Notice[] =>
  recipients.flatMap((recipient) => {
    const userId = userOfRecipient(recipient)
    const about = {
      model: source.model ?? '',
      recordId: source.record_id,
      createdAtMs,
      ...(source.is_internal && { isInternal: source.is_internal }),
    }
    return userId === undefined ? [] : [{ key: uuid, userId, title: subject, text: body, ...notice, ...about }]
  })

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
