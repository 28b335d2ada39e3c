import { type Channel, type channelOpener, type ChannelType, findEnabledChannel } from '../../channels/service.ts'
import { type Clock, isoTime } from '../../kernel/clock.ts'
import { log } from '../../kernel/log.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { Config } from '../../store/config.ts'
import { deliveryKey, intentKey } from '../../store/keys/deliveries.ts'
import type { Store } from '../../store/store.ts'
import { type RenderTemplate, renderContent } from '../render-content.ts'
import { readDelivery } from '../rows/delivery-row.ts'
import { type ContentObjects, readContent } from '../rows/intent-content.ts'
import { readIntentRow } from '../rows/intent-row.ts'
import type { Sender } from '../sender.ts'
import { type Delivery, messageId } from '../state/delivery.ts'
import { lostAttempt, type Outcome } from '../state/outcome.ts'
import { claim, fail, isDue, postpone } from '../state/transitions.ts'
import type { WakeDeliveries } from '../wake.ts'
import type { ChannelGate } from './channel-gate.ts'
import { recordAttempt } from './record-attempt.ts'
import { saveDelivery } from './save-delivery.ts'
import { scheduleOf } from './schedule-of.ts'

/** What an attempt needs, with the sender of the type of channel that it is for. */
export interface AttemptDependencies<Type extends ChannelType = ChannelType> {
  readonly store: Store
  readonly clock: Clock
  readonly config: Pick<Config, 'get' | 'list'>
  readonly openChannel: ReturnType<typeof channelOpener>
  readonly sender: Sender<Type>
  readonly objects: ContentObjects
  readonly render: RenderTemplate
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
  deps: AttemptDependencies<Type>,
  tenant: Tenant,
  id: number,
): Promise<void> {
  const { store, clock, gate } = deps
  const item = await store.get(tenant, deliveryKey(tenant, id))
  const delivery = item && readDelivery(item)
  if (!delivery || !isDue(delivery, clock.now())) return
  if (tenant.deleteAt !== undefined) {
    await saveDelivery(deps, tenant, delivery, postpone(delivery, clock.now() + pauseMs), [lostOf(delivery)])
    return
  }
  const { channel, problem } = await findEnabledChannel(deps, tenant, {
    id: delivery.channelId,
    type: delivery.channelType,
  })
  if (!channel) {
    await saveDelivery(deps, tenant, delivery, fail(delivery, problem), [lostOf(delivery)])
    return
  }
  const schedule = scheduleOf(channel)
  const claimed = claim(delivery, schedule, clock.now())
  if (claimed.kind === 'nothing to do') return
  if (claimed.kind === 'exhausted') {
    await saveDelivery(deps, tenant, delivery, claimed.delivery, [claimed.lost])
    return
  }
  const pass = await gate.pass(tenant, channel)
  if ('waitUntilMs' in pass) return waitForChannel(deps, tenant, channel, delivery, pass.waitUntilMs)
  const { attempt, lost } = claimed
  if (!(await saveDelivery(deps, tenant, delivery, claimed.delivery, [lost, attempt])))
    return gate.giveBack(tenant, channel, pass)
  const outcome = await send(deps, tenant, channel, claimed.delivery)
  const recorded = await recordAttempt(deps, tenant, claimed.delivery, attempt, outcome, schedule)
  log.info('attempt', { delivery_id: id, n: attempt.n, outcome: outcome.kind, code: outcome.code })
  await gate.count(tenant, channel, outcome, pass)
  if (recorded.nextAttemptAtMs !== null) await deps.wake(tenant, channel, [id], recorded.nextAttemptAtMs - clock.now())
}

const lostOf = ({ status, attemptCount, attemptedAtMs }: Delivery) =>
  status === 'sending' ? lostAttempt(attemptCount, attemptedAtMs ?? 0) : undefined

async function waitForChannel(
  deps: Pick<AttemptDependencies, 'store' | 'clock' | 'wake'>,
  tenant: Tenant,
  channel: Channel,
  delivery: Delivery,
  untilMs: number,
): Promise<void> {
  const { clock } = deps
  const waiting = postpone(delivery, Math.round(untilMs + clock.random() * spread * (untilMs - clock.now())))
  if (!(await saveDelivery(deps, tenant, delivery, waiting, [lostOf(delivery)]))) return
  await deps.wake(tenant, channel, [delivery.id], (waiting.nextAttemptAtMs as number) - clock.now())
}

/** Sends, and answers a failure for every error: an attempt always has an outcome. */
async function send<Type extends ChannelType>(
  { store, objects, render, openChannel, sender }: AttemptDependencies<Type>,
  tenant: Tenant,
  channel: Channel,
  delivery: Delivery,
): Promise<Outcome> {
  try {
    const item = await store.get(tenant, intentKey(tenant, delivery.intent))
    if (!item) return { kind: 'refused', error: 'The content of the message is not kept any more.' }
    const { createdAtMs } = readIntentRow(item)
    const content = await readContent(objects, item)
    const message = {
      ...(await renderContent(render, content, delivery.locale)),
      id: messageId(delivery),
      tenant,
      recipient: delivery.recipient,
      createdAt: isoTime(createdAtMs),
    }
    return await sender.send(message, await openChannel<Type>(tenant, channel))
  } catch (cause) {
    log.error('could not send', cause, { delivery_id: delivery.id })
    return { kind: 'failed', error: 'The service failed to send the message; its log has the reason.' }
  }
}
