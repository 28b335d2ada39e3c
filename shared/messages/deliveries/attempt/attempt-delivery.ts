import { addToLogScope, log } from '../../../kernel/runtime/log.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import type { Config } from '../../../platform/store/config.ts'
import { deliveryKey } from '../../../platform/store/keys/messages/deliveries.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { ChannelType } from '../../channels/channel-types.ts'
import type { Channel } from '../../channels/channel.ts'
import type { channelOpener } from '../../channels/config/channel-secrets.ts'
import { findEnabledChannel } from '../../channels/list-channels.ts'
import type { RenderDependencies } from '../render-content.ts'
import { readDelivery } from '../rows/delivery-row.ts'
import type { ContentObjects } from '../rows/intent-content.ts'
import type { OutgoingMessage, Sender } from '../sender.ts'
import type { Delivery } from '../state/delivery.ts'
import { lostAttempt, type Outcome } from '../state/outcome.ts'
import { defaultSchedule } from '../state/schedule.ts'
import { acceptParts, claim, fail, isDue, postpone } from '../state/transitions.ts'
import type { WakeDeliveries } from '../wake.ts'
import type { ChannelGate } from './channel-gate.ts'
import { keepPace } from './keep-pace.ts'
import { newerVersionDelivered, readMessage, serviceFailed } from './read-message.ts'
import { recordAttempt, saveDelivery } from './save-delivery.ts'

/** What an attempt needs, with the sender of the type of channel that it is for. */
export interface AttemptDependencies<Type extends ChannelType = ChannelType> extends RenderDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly config: Pick<Config, 'get' | 'list'>
  readonly openChannel: ReturnType<typeof channelOpener>
  readonly sender: Sender<Type>
  readonly objects: ContentObjects
  readonly gate: ChannelGate
  readonly wake: WakeDeliveries
}

/** After how long a delivery looks again whether its deleted tenant was restored. */
const pauseMs = 3_600_000
/** Deliveries that waited return spread over this share of their wait. */
const spread = 0.2

/**
 * Makes one attempt at a delivery if it is due: claims it with a lease, sends, and records the outcome. A crash at any
 * point leaves a row that the sweeper finds, and a later attempt has the same message id. In a deleted tenant deliveries
 * wait, without using attempts.
 */
export async function attemptDelivery<Type extends ChannelType>(
  deliveries: AttemptDependencies<Type>,
  tenant: Tenant,
  id: number,
): Promise<void> {
  const { store, clock, gate } = deliveries
  const item = await store.get(tenant, deliveryKey(tenant, id))
  const delivery = item && readDelivery(item)
  if (!delivery || !isDue(delivery, clock.now())) return
  // Also when the sweeper woke it.
  addToLogScope({ tenant_id: tenant.id, ...(delivery.requestId !== undefined && { request_id: delivery.requestId }) })
  if (tenant.deleteAt !== undefined) {
    await saveDelivery(deliveries, tenant, delivery, postpone(delivery, clock.now() + pauseMs), [lostOf(delivery)])
    return
  }
  const { channel, problem } = await findEnabledChannel(deliveries, tenant, {
    id: delivery.channelId,
    type: delivery.channelType,
  })
  if (!channel) {
    await saveDelivery(deliveries, tenant, delivery, fail(delivery, problem), [lostOf(delivery)])
    return
  }
  const schedule = scheduleOf(channel)
  const claimed = claim(delivery, schedule, clock.now())
  if (claimed.kind === 'nothing to do') return
  if (claimed.kind === 'exhausted') {
    await saveDelivery(deliveries, tenant, delivery, claimed.delivery, [claimed.lost])
    return
  }
  const pass = await gate.pass(tenant, channel)
  if ('waitUntilMs' in pass) return waitForChannel(deliveries, tenant, channel, delivery, pass.waitUntilMs, spread)
  const supersededBy = await newerVersionDelivered(store, tenant, delivery)
  const message = await readMessage(deliveries, tenant, { ...delivery, supersededBy })
  const pace = 'id' in message ? deliveries.sender.paceOf?.(message, delivery.partsAccepted) : undefined
  const turnAtMs = pace && (await keepPace(deliveries, tenant, channel, delivery, pace))
  if (turnAtMs !== undefined) {
    await gate.giveBack(tenant, channel, pass)
    return waitForChannel(deliveries, tenant, channel, delivery, turnAtMs)
  }
  const { attempt, lost } = claimed
  const from = ('id' in message ? message.from : undefined) ?? channel.config.from_address
  const sending = { ...claimed.delivery, supersededBy, ...(channel.type === 'email' && { from: String(from) }) }
  if (!(await saveDelivery(deliveries, tenant, delivery, sending, [lost]))) return gate.giveBack(tenant, channel, pass)
  const { outcome, current } =
    'id' in message ? await send(deliveries, tenant, channel, sending, message) : { outcome: message, current: sending }
  const recorded = await recordAttempt(deliveries, tenant, current, attempt, outcome, schedule)
  log.info('attempt', { delivery_id: id, n: attempt.n, outcome: outcome.kind, code: outcome.code })
  await gate.count(tenant, channel, outcome, pass)
  if (recorded.nextAttemptAtMs !== null)
    await deliveries.wake(tenant, channel, [id], recorded.nextAttemptAtMs - clock.now())
}

const lostOf = ({ status, attemptCount, attemptedAtMs }: Delivery) =>
  status === 'sending' ? lostAttempt(attemptCount, attemptedAtMs ?? 0) : undefined

async function waitForChannel(
  deliveries: Pick<AttemptDependencies, 'store' | 'clock' | 'wake'>,
  tenant: Tenant,
  channel: Channel,
  delivery: Delivery,
  untilMs: number,
  spreadOver = 0,
): Promise<void> {
  const { clock } = deliveries
  const waiting = postpone(delivery, Math.round(untilMs + clock.random() * spreadOver * (untilMs - clock.now())))
  if (!(await saveDelivery(deliveries, tenant, delivery, waiting, [lostOf(delivery)]))) return
  await deliveries.wake(tenant, channel, [delivery.id], (waiting.nextAttemptAtMs as number) - clock.now())
}

/**
 * Sends, and answers a failure for every error: an attempt always has an outcome. `current` is the delivery with the
 * progress that the sender noted.
 */
async function send<Type extends ChannelType>(
  deliveries: AttemptDependencies<Type>,
  tenant: Tenant,
  channel: Channel,
  claimed: Delivery,
  message: OutgoingMessage,
): Promise<{ readonly outcome: Outcome; readonly current: Delivery }> {
  let current = claimed
  async function accept(parts: number): Promise<boolean> {
    const after = acceptParts(current, parts)
    if (!(await saveDelivery(deliveries, tenant, current, after))) return false
    current = after
    return true
  }
  try {
    const opened = await deliveries.openChannel<Type>(tenant, channel)
    const outcome = await deliveries.sender.send(message, opened, { partsAccepted: claimed.partsAccepted, accept })
    return { outcome, current }
  } catch (cause) {
    log.error('could not send', cause, { delivery_id: claimed.id })
    return { outcome: serviceFailed, current }
  }
}

/** The seconds before each attempt through a channel. */
const scheduleOf = ({ config }: Pick<Channel, 'config'>): readonly number[] =>
  (config.retry_schedule as readonly number[] | undefined) ?? defaultSchedule
