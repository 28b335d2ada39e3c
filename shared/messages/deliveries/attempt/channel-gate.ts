import { mayFail } from '../../../kernel/runtime/log.ts'
import type { Tenant, TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import type { Config } from '../../../platform/store/config.ts'
import { channelGateKey } from '../../../platform/store/keys/messages/deliveries.ts'
import type { Store } from '../../../platform/store/store.ts'
import { atRevision, isNew } from '../../../platform/store/writes/conditions.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import { disableChannel } from '../../channels/administer-channels.ts'
import { withoutSecrets } from '../../channels/channel-document.ts'
import type { Channel } from '../../channels/channel.ts'
import { gateItem, readGate, type StoredGate } from '../rows/gate-row.ts'
import {
  ask,
  beginProbe,
  type Breaker,
  countFailure,
  countSuccesses,
  givesUp,
  giveUpProbe,
  hasNoFailures,
  isOpen,
} from '../state/breaker.ts'
import { gateOfChannel } from '../state/gate-of-channel.ts'
import { enterLane, freePlace, isFastAttempt, leaveLane, needsRenewal } from '../state/lane.ts'
import { isByService, type Outcome } from '../state/outcome.ts'
import type { ChannelRef } from '../wake.ts'

/** What administrators are notified about a channel. */
export interface ChannelNotice {
  readonly kind: 'paused' | 'resumed' | 'disabled'
  readonly channel: Pick<Channel, 'id' | 'name'>
  readonly reason: string
}
/** Tells the administrators of a tenant. */
type TellAdministrators = (tenant: Tenant, notice: ChannelNotice) => Promise<void>

interface GateDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly config: Config
  readonly tell: TellAdministrators
}

/** Lets one attempt through. */
interface Pass {
  readonly sinceMs: number
  readonly isProbe: boolean
  /** Its place in a narrow lane. */
  readonly place?: number
  /** A success that is fast changes nothing that matters, so it need not be stored. */
  readonly isQuiet: boolean
}

/** A channel as the attempt read it. */
type ReadChannel = Pick<Channel, 'id' | 'type' | 'version'>

type Answer = Pass | { readonly waitUntilMs: number }

/** So many successes of a channel are counted in memory before they are stored; a failure takes them along. */
const successesAtOnce = 20
/** How often a place is asked for while others change the row. */
const maxTries = 4
const busyPauseMs = 20
const busyWaitMs = 1000
/** How long a channel pauses when its receiver does not say. */
const defaultPauseMs = 5000

export type ChannelGate = ReturnType<typeof createChannelGate>

/**
 * Decides whether a channel may send now: its breaker pauses it while its receiver fails, its lane bounds what is in
 * flight. A channel that an administrator changes starts afresh, and attempts that began before count no more. A channel
 * whose receiver is fast costs one read an attempt, and a write every few seconds.
 */
export function createChannelGate({ store, clock, config, tell }: GateDependencies) {
  const successes = new Map<string, { readonly version: number; readonly count: number }>()
  const memoryKey = (tenant: TenantRef, { id, type }: ChannelRef): string => `${tenant.id}#${id}#${type}`

  const read = async (tenant: TenantRef, channel: ChannelRef): Promise<StoredGate> =>
    readGate(await store.get(tenant, channelGateKey(tenant, channel)))

  const save = (
    tenant: TenantRef,
    channel: ChannelRef,
    before: StoredGate,
    after: Partial<StoredGate>,
  ): Promise<boolean> =>
    wasApplied(
      store.write(tenant, {
        put: gateItem(tenant, channel, { ...before, ...after, rev: before.rev + 1 }),
        if: before.rev === 0 ? isNew : atRevision(before.rev),
      }),
    )

  /** Asks whether an attempt may be made now. Of several that ask for a probe, one gets it. */
  async function pass(tenant: TenantRef, channel: ReadChannel): Promise<Answer> {
    for (let tries = 0; tries < maxTries; tries++) {
      const answer = await passOnce(tenant, channel)
      if (answer) return answer
      await clock.sleep(clock.random() * busyPauseMs)
    }
    return { waitUntilMs: clock.now() + busyWaitMs }
  }

  /** Undefined when somebody else changed the row meanwhile. */
  async function passOnce(tenant: TenantRef, channel: ReadChannel): Promise<Answer | undefined> {
    const known = await read(tenant, channel)
    const current = gateOfChannel(known, channel)
    const stored = current === 'stale' ? known : current
    const now = clock.now()
    if (stored.pausedUntilMs > now) return { waitUntilMs: stored.pausedUntilMs }
    const asked = ask(stored.breaker, now)
    if (asked === 'probe') {
      const isMine = await save(tenant, channel, stored, { breaker: beginProbe(stored.breaker, now) })
      return isMine ? { sinceMs: now, isProbe: true, isQuiet: false } : undefined
    }
    if (asked !== 'send') return asked
    const entered = enterLane(stored.lane, now)
    if (entered === 'free') {
      const isQuiet = hasNoFailures(stored.breaker) && !needsRenewal(stored.lane, now)
      return { sinceMs: now, isProbe: false, isQuiet }
    }
    if ('waitUntilMs' in entered) return entered
    const isMine = await save(tenant, channel, stored, { lane: entered.lane })
    return isMine ? { sinceMs: now, isProbe: false, isQuiet: false, place: entered.place } : undefined
  }

  /**
   * Gives a pass back that was not used, or whose outcome counts for nothing. The channel then pauses for as long as its
   * receiver asked.
   */
  async function giveBack(tenant: Tenant, channel: Channel, { place, isProbe }: Pass, pauseMs = 0): Promise<void> {
    if (place === undefined && !isProbe && pauseMs === 0) return
    await mayFail('give a pass back', () =>
      changeStored(tenant, channel, { place, isProbe }, ({ pausedUntilMs }, now) => ({
        pausedUntilMs: pauseMs === 0 ? pausedUntilMs : Math.max(pausedUntilMs, now + pauseMs),
      })),
    )
  }

  /** Counts the outcome of an attempt, unless it says nothing about the receiver. Administrators are notified when the channel is paused, resumed or disabled. */
  async function count(tenant: Tenant, channel: Channel, outcome: Outcome, given: Pass): Promise<void> {
    if (outcome.kind === 'failed' && outcome.pausesChannel)
      return giveBack(tenant, channel, given, outcome.retryAfterMs ?? defaultPauseMs)
    if (isByService(outcome)) return giveBack(tenant, channel, given)
    const key = memoryKey(tenant, channel)
    const { version } = channel
    // A refusal of one message shows that the receiver works.
    const isSuccess = outcome.kind === 'delivered' || outcome.kind === 'refused'
    // A receiver that refuses at once holds no sender up: that it fails is for the breaker.
    const isFast = isFastAttempt(clock.now() - given.sinceMs)
    const before = successes.get(key)
    const succeeded = (before?.version === version ? before.count : 0) + (isSuccess ? 1 : 0)
    successes.set(key, { version, count: succeeded })
    if (given.isQuiet && isSuccess && isFast) return
    await mayFail('count the outcome of an attempt', async () => {
      if (outcome.kind === 'gone') return disable(tenant, channel, outcome.error)
      if (isSuccess && isFast && given.place === undefined && succeeded < successesAtOnce) {
        const current = gateOfChannel(await read(tenant, channel), channel)
        if (current === 'stale') return
        if (current.breaker.failingSinceMs === null && !needsRenewal(current.lane, clock.now())) return
      }
      successes.delete(key)
      const changed = await changeStored(tenant, channel, given, ({ breaker, lane }, now) => ({
        breaker: counted(breaker, succeeded, isSuccess, given.isProbe, now),
        lane: leaveLane(lane, given.place, isFast, now),
      }))
      if (changed === 'stale') return
      const [wasOpen, { breaker }] = [isOpen(changed.before.breaker), changed.after]
      if (!wasOpen && isOpen(breaker)) await tell(tenant, notice('paused', channel, outcome))
      if (wasOpen && !isOpen(breaker)) await tell(tenant, notice('resumed', channel, outcome))
      if (!isSuccess && givesUp(breaker, clock.now())) await disable(tenant, channel, outcome.error)
    })
  }

  /**
   * Changes the gate, with the pass given back where `change` leaves lane and breaker out. Of an attempt that read its
   * channel before an administrator changed it, only the pass is given back.
   */
  const changeStored = (
    tenant: Tenant,
    channel: Channel,
    { place, isProbe }: Pick<Pass, 'place' | 'isProbe'>,
    change: (gate: StoredGate, nowMs: number) => Partial<StoredGate>,
  ): Promise<{ readonly before: StoredGate; readonly after: StoredGate } | 'stale'> =>
    retryWithJitter(clock, async (again) => {
      const known = await read(tenant, channel)
      const current = gateOfChannel(known, channel)
      const before = current === 'stale' ? known : current
      const now = clock.now()
      const after: StoredGate = {
        ...before,
        breaker: isProbe ? giveUpProbe(before.breaker, now) : before.breaker,
        lane: place === undefined ? before.lane : freePlace(before.lane, place, now),
        ...(current !== 'stale' && change(before, now)),
      }
      if (!(await save(tenant, channel, before, after))) again(new Error('another attempt was counted'))
      return current === 'stale' ? current : { before, after }
    })

  async function disable(tenant: Tenant, channel: Channel, reason: string): Promise<void> {
    if (await disableChannel(withoutSecrets({ store, config, clock }), { tenant, userId: 0 }, channel))
      await tell(tenant, { kind: 'disabled', channel, reason })
  }

  return { pass, giveBack, count }
}

function counted(breaker: Breaker, succeeded: number, isSuccess: boolean, isProbe: boolean, nowMs: number): Breaker {
  if (isOpen(breaker) && !isSuccess) return countFailure(breaker, nowMs, isProbe)
  const after = countSuccesses(breaker, succeeded, nowMs)
  return isSuccess ? after : countFailure(after, nowMs)
}

const notice = (kind: ChannelNotice['kind'], channel: Channel, outcome: Outcome): ChannelNotice => ({
  kind,
  channel,
  reason: 'error' in outcome ? outcome.error : '',
})
