import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import { deliveryKey, intentKey } from '../../../platform/store/keys/messages/deliveries.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import type { ChannelType } from '../../channels/channel-types.ts'
import { expandIntent } from '../expand/expand-intent.ts'
import { prepareIntent, type Send } from '../expand/write-intent.ts'
import { readDelivery } from '../rows/delivery-row.ts'
import { readIntentRow } from '../rows/intent-row.ts'
import type { Delivery } from '../state/delivery.ts'
import { attemptDelivery, type AttemptDependencies } from './attempt-delivery.ts'

/** How long to wait for an attempt that a queue was faster with, and how often to look. */
const waitMs = 15_000
const lookEveryMs = 200

/**
 * Sends a message to one address as a delivery whose first attempt is made at once. Answers the delivery after it; what is
 * left to do happens as ever: later attempts, and all of them after a crash. The content must fit into a row.
 */
export async function deliverNow<Type extends ChannelType>(
  deliveries: AttemptDependencies<Type>,
  tenant: Tenant,
  { recipient, ...send }: Omit<Send, 'recipients' | 'uuid' | 'answers'> & { readonly recipient: string },
): Promise<Delivery> {
  const { store, clock } = deliveries
  const uuid = clock.uuid()
  await store.write(tenant, prepareIntent(clock, tenant, { ...send, uuid, recipients: [recipient] }).write)
  const expansion = {
    ...deliveries,
    wake: noWake,
    notify: isAddress,
    findAddress: isAddress,
    findLocale: isAddress,
    answerLimits: answersNobody,
    mailSendersOf: answersNobody,
    heldUntil: holdsNothing,
    gather: holdsNothing,
  }
  await expandIntent(expansion, tenant, uuid)
  const rowAt = async (key: Key): Promise<Item> => {
    const item = await store.get(tenant, key)
    if (!item) throw new Error('the row of a new delivery is gone')
    return item
  }
  const id = readIntentRow(await rowAt(intentKey(tenant, uuid))).firstId as number
  const read = async () => readDelivery(await rowAt(deliveryKey(tenant, id)))
  await attemptDelivery(deliveries, tenant, id)
  const until = clock.now() + waitMs
  let delivery = await read()
  while (delivery.status === 'sending' && clock.now() < until) {
    await clock.sleep(lookEveryMs)
    delivery = await read()
  }
  return delivery
}

/** The attempt follows at once. */
const noWake = async (): Promise<void> => {}
const isAddress = (): never => {
  throw new Error('the recipient is an address, not a user')
}
const holdsNothing = (): never => {
  throw new Error('the message is not held back')
}
const answersNobody = (): never => {
  throw new Error('the message answers nobody')
}
