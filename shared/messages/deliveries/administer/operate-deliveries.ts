import { Conflict, NotFound } from '../../../kernel/failures/faults.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { attemptsPartition, deliveryKey, intentKey } from '../../../platform/store/keys/messages/deliveries.ts'
import { readAll } from '../../../platform/store/ranges/read-all.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import { saveDelivery } from '../attempt/save-delivery.ts'
import { type RenderDependencies, renderContent } from '../render-content.ts'
import { readAttempt } from '../rows/attempt-row.ts'
import { readDelivery } from '../rows/delivery-row.ts'
import { type ContentObjects, readContent } from '../rows/intent-content.ts'
import type { DeliveryAnswer, RetriedReply } from '../schema.ts'
import type { Delivery } from '../state/delivery.ts'
import { isErasedRecipient } from '../state/erased-recipient.ts'
import { type Attempt, openAttempt } from '../state/outcome.ts'
import { cancel, requeue } from '../state/transitions.ts'
import type { WakeDeliveries } from '../wake.ts'
import { describeAttempt, describeDelivery } from './describe-delivery.ts'

interface OperationDependencies extends RenderDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly wake: WakeDeliveries
  readonly objects: ContentObjects
}

type ShowDependencies = Pick<OperationDependencies, 'store' | 'objects' | keyof RenderDependencies>

/** The delivery with its attempts and its whole body. Throws NotFound. */
export const getDelivery = async (services: ShowDependencies, tenant: TenantRef, id: number): Promise<DeliveryAnswer> =>
  show(services, tenant, await requireDelivery(services.store, tenant, id))

async function show(services: ShowDependencies, tenant: TenantRef, delivery: Delivery): Promise<DeliveryAnswer> {
  const { store } = services
  const [intent, attempts] = await Promise.all([
    store.get(tenant, intentKey(tenant, delivery.intent)),
    readAll(store, tenant, { pk: attemptsPartition(tenant, delivery.id) }),
  ])
  return {
    ...describeDelivery(delivery),
    // What an erased person got is not shown, also where the intent keeps it for others.
    ...(intent && !isErasedRecipient(delivery.recipient) && (await bodyOf(services, tenant, delivery, intent))),
    attempts: [...attempts.map(readAttempt), ...inFlight(delivery)].map(describeAttempt),
  }
}

async function bodyOf(
  services: Pick<OperationDependencies, 'objects' | keyof RenderDependencies>,
  tenant: TenantRef,
  { source, locale }: Delivery,
  intent: Item,
): Promise<{ readonly body: string }> {
  const { body } = await renderContent(services, tenant, source, await readContent(services.objects, intent), locale)
  return { body }
}

/** The attempt that is in flight: it has a row once it ended. */
const inFlight = ({ status, attemptCount, attemptedAtMs }: Delivery): readonly Attempt[] =>
  status === 'sending' ? [openAttempt(attemptCount, attemptedAtMs ?? 0)] : []

/**
 * Queues a delivery anew, and answers as it was queued, whatever its channel does meanwhile. Throws NotFound, and Conflict
 * when it is being sent or was delivered.
 */
export const retryDelivery = async (
  services: OperationDependencies,
  tenant: TenantRef,
  id: number,
): Promise<DeliveryAnswer> => show(services, tenant, await queueAnew(services, tenant, id))

async function queueAnew(services: OperationDependencies, tenant: TenantRef, id: number): Promise<Delivery> {
  const delivery = await operate(services, tenant, id, (before) => requeue(before, services.clock.now()), 'be retried')
  await services.wake(tenant, { id: delivery.channelId, type: delivery.channelType }, [id])
  return delivery
}

/**
 * Queues a reply to somebody outside anew: the comment of a record that was sent. Throws NotFound for every other delivery, and
 * Conflict when it is being sent or was delivered.
 */
export async function retryReply(
  services: OperationDependencies,
  tenant: TenantRef,
  { model, id }: { readonly model: string; readonly id: number },
  deliveryId: number,
): Promise<RetriedReply> {
  const { source } = await requireDelivery(services.store, tenant, deliveryId)
  if (source.model !== model || source.record_id !== id || source.comment_id === undefined)
    throw new NotFound('delivery', { id: deliveryId })
  const after = describeDelivery(await queueAnew(services, tenant, deliveryId))
  return {
    id: after.id,
    status: after.status,
    attempt_count: after.attempt_count,
    next_attempt_at: after.next_attempt_at,
  }
}

/** Cancels a delivery that waits, and answers it. Throws NotFound, and Conflict when it is being sent or has ended. */
export const cancelDelivery = async (
  services: OperationDependencies,
  tenant: TenantRef,
  id: number,
): Promise<DeliveryAnswer> => show(services, tenant, await operate(services, tenant, id, cancel, 'be cancelled'))

const operate = (
  services: OperationDependencies,
  tenant: TenantRef,
  id: number,
  change: (delivery: Delivery) => Delivery | undefined,
  what: string,
): Promise<Delivery> =>
  retryWithJitter(services.clock, async (again) => {
    const before = await requireDelivery(services.store, tenant, id)
    const after = change(before)
    if (!after) throw refusalOf(before, what)
    if (!(await saveDelivery(services, tenant, before, after))) again(new Error('the delivery was changed meanwhile'))
    return after
  })

function refusalOf({ status, recipient }: Delivery, what: string): Conflict {
  if (status === 'sending')
    return new Conflict('delivery_in_flight', 'The delivery is being sent. Try again in a minute.')
  if (isErasedRecipient(recipient))
    return new Conflict('delivery_ended', `A delivery whose recipient was erased cannot ${what}.`)
  return new Conflict('delivery_ended', `A delivery that was ${status} cannot ${what}.`)
}

async function requireDelivery(store: Pick<Store, 'get'>, tenant: TenantRef, id: number): Promise<Delivery> {
  const item = await store.get(tenant, deliveryKey(tenant, id))
  if (!item) throw new NotFound('delivery', { id })
  return readDelivery(item)
}
