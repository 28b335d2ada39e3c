import { mayFail } from '../../kernel/runtime/log.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Send } from '../../platform/queue/send.ts'
import type { ChannelType } from '../channels/channel-types.ts'
import type { Channel } from '../channels/channel.ts'
import { DeliveryWake } from './messages.ts'
import { maxWakeDelayMs } from './rows/delivery-row.ts'

/** A channel, as its deliveries know it. */
export type ChannelRef = Pick<Channel, 'id' | 'type'>

/**
 * Wakes deliveries of a channel after `delayMs`; a delay over 15 minutes is left to the sweeper. Never throws: what is not
 * woken stays due.
 */
export type WakeDeliveries = (
  tenant: TenantRef,
  channel: ChannelRef,
  ids: readonly number[],
  delayMs?: number,
) => Promise<void>

/** Wakes deliveries through the queue of their type. The messages of one channel do not delay those of others. */
export const deliveryWaker =
  (send: Send, queueUrlOf: (type: ChannelType) => string | undefined): WakeDeliveries =>
  async (tenant, channel, ids, delayMs = 0) => {
    if (ids.length === 0 || delayMs > maxWakeDelayMs) return
    await mayFail('wake deliveries', async () => {
      const queueUrl = queueUrlOf(channel.type)
      if (queueUrl === undefined) return
      const bodies = ids.map((id): DeliveryWake => ({ v: 1, tenant_id: tenant.id, delivery_id: id }))
      const refused = await send(queueUrl, bodies, {
        delaySeconds: Math.max(0, Math.ceil(delayMs / 1000)),
        fairGroup: `${tenant.id}.${channel.id}`,
      })
      if (refused.length > 0) throw new Error(refused[0]?.reason)
    })
  }
