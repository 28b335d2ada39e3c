import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { intentKey } from '../../../platform/store/keys/messages/deliveries.ts'
import type { Store, Write } from '../../../platform/store/store.ts'
import { isNew } from '../../../platform/store/writes/conditions.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import type { Channel } from '../../channels/channel.ts'
import { type ContentObject, type IntentContent, maxOnlyContentBytes, packContent } from '../rows/intent-content.ts'
import { type Intent, intentItem } from '../rows/intent-row.ts'
import type { DeliverySource } from '../state/delivery.ts'

/** After this time the sweeper expands an intent that the change feed did not bring to its expansion. */
const dueAfterMs = 60_000

/** For what is not sent through a channel: people are notified where they want it. */
export const bellChannel = { id: 0, type: 'bell' } as const

/** What to send to whom, and what asked for it. */
export interface Send {
  readonly channel: Pick<Channel, 'id' | 'type'> | typeof bellChannel
  /** Addresses, or `user:` and the id of a user. */
  readonly recipients: readonly string[]
  readonly content: IntentContent
  readonly source: DeliverySource
  /** See `Intent`. */
  readonly answers?: Intent['answers']
  /** It is the only message of its write, which stores no object. */
  readonly isOnly?: true
  /** Names the send where a repeat must not send again; random when left out. */
  readonly uuid?: string
  /** It leaves with others, so that it makes no delivery of its own. */
  readonly isHeld?: true
}

/** The write of an intent, and the object that has to be stored before it when its content is too large for a row. */
export interface PreparedIntent {
  readonly write: Write & { readonly put: ReturnType<typeof intentItem> }
  readonly object?: ContentObject
}

/** Prepares an intent: part of the transaction of what asked for it, so that both happen or neither. */
export function prepareIntent(
  clock: Pick<Clock, 'now' | 'uuid'>,
  tenant: TenantRef,
  { channel, recipients, content, source, answers, isOnly, isHeld, uuid = clock.uuid() }: Send,
): PreparedIntent {
  const now = clock.now()
  const { attributes, object } = packContent(tenant, uuid, content, isOnly && maxOnlyContentBytes)
  const intent = {
    uuid,
    channelId: channel.id,
    channelType: channel.type,
    recipients,
    source,
    ...(answers !== undefined && { answers }),
    createdAtMs: now,
  }
  return {
    write: { put: intentItem(tenant, intent, attributes, isHeld ? null : now + dueAfterMs) },
    ...(object && { object }),
  }
}

/** Stores an intent that belongs to no operation. A repeat under the same uuid sends nothing again. */
export async function storeIntent(
  {
    store,
    putObject,
  }: {
    readonly store: Pick<Store, 'write'>
    readonly putObject: (key: string, body: Uint8Array) => Promise<void>
  },
  tenant: TenantRef,
  { write, object }: PreparedIntent,
): Promise<void> {
  if (object) await putObject(object.key, object.body)
  await wasApplied(store.write(tenant, { ...write, if: isNew }))
}

/** Those of some intents that are stored. */
export async function storedIntents(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  uuids: readonly string[],
): Promise<ReadonlySet<string>> {
  const keys = uuids.map((uuid) => intentKey(tenant, uuid))
  const items = await store.getMany(tenant, keys, ['pk', 'sk'])
  return new Set(uuids.filter((_, index) => items[index] !== undefined))
}
