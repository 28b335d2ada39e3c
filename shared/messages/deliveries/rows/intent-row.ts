import type { TenantRef } from '../../../kernel/tenancy.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { mask } from '../../../platform/secrets/mask.ts'
import type { Change } from '../../../platform/store/client/write.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import {
  intentDueKey,
  intentKey,
  intentsToManyPartition,
  intentsToPartition,
} from '../../../platform/store/keys/messages/deliveries.ts'
import { dueEntry, personEntry, personSlot, setSlot } from '../../../platform/store/slots.ts'
import { readJson } from '../../../platform/store/values/json-attribute.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { packJson, readPackedJson } from '../../../platform/store/values/pack-json.ts'
import type { ChannelType } from '../../channels/channel-types.ts'
import type { DeliverySource } from '../state/delivery.ts'

/** Longer than deliveries are kept, which read their content here. */
const keptSeconds = 92 * 24 * 60 * 60

/** A send that was asked for: what, through which channel and to whom. */
export interface Intent {
  readonly uuid: string
  readonly channelId: number
  /** `bell`: the recipients are notified where they want it, which may be the bell only. */
  readonly channelType: ChannelType | 'bell'
  /** One delivery each: an address, or `user:` and the id of a user whose address is looked up. */
  readonly recipients: readonly string[]
  readonly source: DeliverySource
  /**
   * Whose mails led to it, so that it answers them: hashes of addresses (`answersTo`), or `record`: whoever sent the latest
   * mails that belong to the record. Undefined when no mail did.
   */
  readonly answers?: readonly string[] | 'record'
  readonly createdAtMs: number
  /** The request that caused it, for logs; the store writes it. */
  readonly requestId?: string
  /** The id of the first delivery, once ids were reserved. */
  readonly firstId: number | null
  /** So many recipients, the first ones, are served: a repeat continues behind them. */
  readonly expandedCount: number
  readonly isExpanded: boolean
}

/** An intent whose recipients get a delivery each. */
export type ChannelIntent = Intent & { readonly channelType: ChannelType }
export const isToChannel = (intent: Intent): intent is ChannelIntent => intent.channelType !== 'bell'

/**
 * The row of a new intent, with the attributes of its content. The change feed brings it to the expansion; the sweeper
 * does if that fails. `dueMs`: null of one that is not expanded, because it leaves with others.
 */
export const intentItem = (
  tenant: TenantRef,
  intent: Omit<Intent, 'requestId' | 'firstId' | 'expandedCount' | 'isExpanded'>,
  content: Item,
  dueMs: number | null,
): Item & Key => ({
  ...intentKey(tenant, intent.uuid),
  kind: 'intent',
  v: 1,
  ...(dueMs === null ? { is_expanded: true } : { feed: 'delivery' }),
  tenant_id: tenant.id,
  uuid: intent.uuid,
  channel_id: intent.channelId,
  channel_type: intent.channelType,
  recipients: packJson(intent.recipients),
  ...content,
  source: JSON.stringify(intent.source),
  ...(intent.answers !== undefined && { answers: JSON.stringify(intent.answers) }),
  created_at_ms: intent.createdAtMs,
  expires_at: Math.floor(intent.createdAtMs / 1000) + keptSeconds,
  ...(dueMs !== null && dueEntry(intentDueKey(isoTime(dueMs), tenant, intent.uuid))),
  ...personEntry(toPartition(tenant, intent), intentKey(tenant, intent.uuid)),
})

/** By whom an erasure finds an intent: a function of its recipients. */
const toPartition = (tenant: TenantRef, { uuid, recipients }: Pick<Intent, 'uuid' | 'recipients'>): string => {
  const [first = '', second] = recipients
  return second === undefined ? intentsToPartition(tenant, first) : intentsToManyPartition(tenant, uuid)
}

/** What is left of a message that went to nobody but an erased person. */
const nothingLeft = packJson({ subject: mask, body: mask })

/**
 * The change of an intent to other recipients, and to an empty content where that is erased, with the object that held the
 * content; undefined when it is so already.
 */
export function replacedInIntent(
  tenant: TenantRef,
  item: Item,
  recipients: readonly string[],
  isContentErased: boolean,
): { readonly change: Change; readonly removedObject?: string } | undefined {
  const { uuid, recipients: before } = readIntentHead(item)
  const isSame = JSON.stringify(before) === JSON.stringify(recipients)
  if (isSame && (!isContentErased || item.content === nothingLeft)) return undefined
  const move = setSlot(personSlot, toPartition(tenant, { uuid, recipients }), intentKey(tenant, uuid).pk)
  const packed = { ':recipients': packJson(recipients), ...move.values }
  const set = `SET recipients = :recipients, ${move.expression}`
  if (!isContentErased) return { change: { expression: set, values: packed } }
  return {
    change: {
      expression: `${set}, content = :content REMOVE content_key`,
      values: { ...packed, ':content': nothingLeft },
    },
    ...(typeof item.content_key === 'string' && { removedObject: item.content_key }),
  }
}

/** Which intent an item is and to whom it goes: of what a list answers of its row. */
export const readIntentHead = (item: Item): Pick<Intent, 'uuid' | 'channelType' | 'recipients'> => ({
  uuid: String(item.uuid),
  channelType: item.channel_type as Intent['channelType'],
  recipients: readPackedJson<string[]>(item, 'recipients') ?? [],
})

/** Reads the row of an intent; `readContent` reads what it says. */
export const readIntentRow = (item: Item): Intent => ({
  ...readIntentHead(item),
  channelId: Number(item.channel_id),
  source: readJson<DeliverySource>(item, 'source'),
  ...(item.answers !== undefined && { answers: readJson<NonNullable<Intent['answers']>>(item, 'answers') }),
  createdAtMs: Number(item.created_at_ms),
  ...(item.request_id !== undefined && { requestId: String(item.request_id) }),
  firstId: item.first_id === undefined ? null : Number(item.first_id),
  expandedCount: Number(item.expanded_count ?? 0),
  isExpanded: item.is_expanded === true,
})
