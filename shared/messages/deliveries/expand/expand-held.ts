import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { heldPartition } from '../../../platform/store/keys/messages/bell.ts'
import { deliveryKey, intentKey } from '../../../platform/store/keys/messages/deliveries.ts'
import { readAll } from '../../../platform/store/ranges/read-all.ts'
import { dueSlot, removeSlot } from '../../../platform/store/slots.ts'
import type { Store } from '../../../platform/store/store.ts'
import { atRevision, exists, isNew } from '../../../platform/store/writes/conditions.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import { closeBatch, lookAt } from '../../preferences/held-notices.ts'
import { deliveryItem, readDelivery } from '../rows/delivery-row.ts'
import {
  type ContentObjects,
  type HeldNotices,
  type IntentContent,
  maxOnlyContentBytes,
  packContent,
  readContent,
} from '../rows/intent-content.ts'
import { type ChannelIntent, readIntentRow } from '../rows/intent-row.ts'
import type { Delivery } from '../state/delivery.ts'
import { change } from '../state/transitions.ts'
import type { WakeDeliveries } from '../wake.ts'
import { draftDelivery, type DraftDependencies } from './draft-delivery.ts'

/** A notice that was held back: what asked for it, and what it says. */
export interface HeldIntent extends Pick<ChannelIntent, 'source' | 'answers' | 'createdAtMs'> {
  readonly content: IntentContent
}

/** What notices say together, and the record that all of them are about, if it is one. */
export type Gathered = Pick<ChannelIntent, 'source'> & { readonly content: IntentContent }

export interface HeldDependencies extends DraftDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly wake: WakeDeliveries
  readonly objects: ContentObjects
  /** When what was held back of a person since some time leaves, by what they choose now. */
  readonly heldUntil: (tenant: TenantRef, held: HeldNotices, sinceMs: number) => Promise<number>
  /** What the notices say together to who may still read it; undefined when nothing is left to say. */
  readonly gather: (
    tenant: TenantRef,
    held: HeldNotices,
    intents: readonly HeldIntent[],
  ) => Promise<Gathered | undefined>
}

/** Why a delivery ends whose notices are all about what its reader may not read any more. */
const nothingLeft = 'Nothing is left to send: its reader may not read any more what it was about.'
/** So much earlier a batch leaves than its time says. */
const slackMs = 1000

/**
 * Expands the intent that gathers what is held back of a person. Until its time it is a delivery that waits, and is looked at
 * again then; what they choose meanwhile counts. Then its batch is closed, so that nothing is added that it would not say, and it
 * leaves with what its reader may still read. Idempotent, and repeatable after a crash at any point.
 */
export async function expandHeld(
  services: HeldDependencies,
  tenant: TenantRef,
  intent: ChannelIntent,
  content: IntentContent & { readonly held: HeldNotices },
  firstId: number,
): Promise<void> {
  const { store, clock, wake } = services
  const { uuid } = intent
  const { held } = content
  const untilMs = await services.heldUntil(tenant, held, intent.createdAtMs)
  const waiting = await waitingDelivery(services, tenant, intent, firstId, untilMs)
  if (untilMs > clock.now() + slackMs) return lookAt(store, tenant, uuid, untilMs)
  await closeBatch(store, tenant, held.userId, held.type, held.batch)
  const isWaiting = waiting.isHeld && waiting.status === 'queued'
  const gathered = held.isGathered ? { source: intent.source, content } : undefined
  const said = isWaiting ? (gathered ?? (await gather(services, tenant, intent, held))) : undefined
  if (said) {
    const named = intent.recipients[0] as string
    const drafted = await draftDelivery(services, tenant, { ...intent, source: said.source }, said.content, {
      named,
      n: 0,
      firstId,
    })
    await release(services, tenant, waiting, { ...drafted, createdAtMs: waiting.createdAtMs })
  } else if (isWaiting) {
    await release(services, tenant, waiting, {
      ...waiting,
      status: 'cancelled',
      nextAttemptAtMs: null,
      lastError: nothingLeft,
    })
  }
  await store.write(tenant, {
    update: intentKey(tenant, uuid),
    change: { expression: `SET is_expanded = :yes REMOVE ${removeSlot(dueSlot)}`, values: { ':yes': true } },
    if: exists,
  })
  await wake(tenant, { id: intent.channelId, type: intent.channelType }, [firstId])
}

/** The delivery that waits, made or moved to its time. */
async function waitingDelivery(
  services: HeldDependencies,
  tenant: TenantRef,
  intent: ChannelIntent,
  firstId: number,
  untilMs: number,
): Promise<Delivery> {
  const { store, clock } = services
  const item = await store.get(tenant, deliveryKey(tenant, firstId))
  if (item) {
    const found = readDelivery(item)
    if (!found.isHeld || found.status !== 'queued' || found.nextAttemptAtMs === untilMs) return found
    const moved = change(found, { nextAttemptAtMs: untilMs })
    return (await save(services, tenant, found, moved))
      ? moved
      : waitingDelivery(services, tenant, intent, firstId, untilMs)
  }
  const named = intent.recipients[0] as string
  const drafted = await draftDelivery(services, tenant, intent, { body: '' }, { named, n: 0, firstId })
  const isReachable = drafted.status === 'queued'
  const waits: Delivery = isReachable ? { ...drafted, nextAttemptAtMs: untilMs, isHeld: true } : drafted
  const isFirst = await wasApplied(store.write(tenant, { put: deliveryItem(tenant, waits, clock.now()), if: isNew }))
  return isFirst ? waits : waitingDelivery(services, tenant, intent, firstId, untilMs)
}

/** What the notices of a closed batch say, kept with the intent: every attempt says the same. Undefined: nothing. */
async function gather(
  services: HeldDependencies,
  tenant: TenantRef,
  { uuid }: ChannelIntent,
  held: HeldNotices,
): Promise<Gathered | undefined> {
  const { store, objects } = services
  const members = await readAll(store, tenant, { pk: heldPartition(tenant, uuid) })
  const items = await store.getMany(
    tenant,
    members.map(({ sk }) => intentKey(tenant, String(sk))),
  )
  const notices = await Promise.all(
    items.flatMap((item) =>
      item ? [readContent(objects, item).then((content): HeldIntent => ({ ...readIntentRow(item), content }))] : [],
    ),
  )
  const gathered = await services.gather(tenant, held, notices)
  if (!gathered) return undefined
  const { attributes } = packContent(
    tenant,
    uuid,
    { ...gathered.content, held: { ...held, isGathered: true } },
    maxOnlyContentBytes,
  )
  await store.write(tenant, {
    update: intentKey(tenant, uuid),
    change: {
      expression: 'SET content = :content, #source = :source',
      names: { '#source': 'source' },
      values: { ':content': attributes.content as string, ':source': JSON.stringify(gathered.source) },
    },
    if: exists,
  })
  return gathered
}

/** Lets a waiting delivery leave as it is now, unless somebody has cancelled it meanwhile. */
async function release(
  services: HeldDependencies,
  tenant: TenantRef,
  waiting: Delivery,
  { isHeld: _, ...after }: Delivery,
): Promise<void> {
  await save(services, tenant, waiting, { ...after, rev: waiting.rev + 1 })
}

/** Stores a delivery on condition that its row is as `before`; answers whether it was. */
const save = (
  { store, clock }: Pick<HeldDependencies, 'store' | 'clock'>,
  tenant: TenantRef,
  before: Delivery,
  after: Delivery,
): Promise<boolean> =>
  wasApplied(
    store.write(tenant, {
      // Its id tells a retry whose answer was lost from somebody else's change.
      put: { ...deliveryItem(tenant, after, clock.now()), write_id: clock.uuid() },
      if: atRevision(before.rev),
    }),
  )
