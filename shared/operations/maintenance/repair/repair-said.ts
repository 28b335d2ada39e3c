import type { Tenant } from '../../../kernel/tenancy.ts'
import { messageSequence } from '../../../messages/incoming-messages/message.ts'
import type { ChangeEvent } from '../../../platform/queue/change-feed/change-event.ts'
import {
  commentEvent,
  messageEvent,
  saidId,
  type SaidKind,
  saidModel,
} from '../../../platform/queue/change-feed/said-event.ts'
import { allCommentsPartitions, commentSort } from '../../../platform/store/keys/comments.ts'
import { keyOfItem } from '../../../platform/store/keys/key.ts'
import { messageKey } from '../../../platform/store/keys/messages/incoming.ts'
import { readAll } from '../../../platform/store/ranges/read-all.ts'
import { readSequence } from '../../../platform/store/sequence/sequence.ts'
import { commentSlot, slotName } from '../../../platform/store/slots.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { commentSequence } from '../../../records/comments/rows/comment-row.ts'
import type { CheckedSaid } from './checkpoint.ts'
import type { ColumnRepairDependencies } from './repair-columns.ts'

type ReadingStore = Pick<Store, 'get' | 'getMany' | 'query'>

interface SaidRepairDependencies {
  readonly store: ReadingStore
  readonly columns: ColumnRepairDependencies
}

export const nothingChecked: CheckedSaid = { comment: 0, message: 0 }

/** How many ids are checked at a time. */
const idsAtOnce = 500

const sequences: Readonly<Record<SaidKind, string>> = { comment: commentSequence, message: messageSequence }
const readers: Readonly<Record<SaidKind, typeof readComments>> = { comment: readComments, message: readMessages }
const events: Readonly<Record<SaidKind, (item: Item) => ChangeEvent>> = { comment: commentEvent, message: messageEvent }

/**
 * Queues the next comments and messages that the index of what was said does not have: those from before there was one, and
 * those that it missed. Answers how many, and up to which ones it is checked; `isDone` when that is all.
 */
export async function repairSaid(
  { store, columns }: SaidRepairDependencies,
  tenant: Tenant,
  checked: CheckedSaid,
): Promise<{ readonly queued: number; readonly checked: CheckedSaid; readonly isDone: boolean }> {
  for (const kind of ['comment', 'message'] as const) {
    const { last } = await readSequence(store, tenant, sequences[kind])
    const from = checked[kind] + 1
    const to = Math.min(last, checked[kind] + idsAtOnce)
    if (from > to) continue
    const ids = Array.from({ length: to - from + 1 }, (_, index) => from + index)
    const stamps = await columns.knownStamps(
      tenant,
      saidModel,
      ids.map((id) => saidId(kind, id)),
    )
    const missing = new Set(ids.filter((_, index) => stamps[index] === undefined))
    const items = missing.size === 0 ? [] : await readers[kind](store, tenant, { from, to })
    const messages = items.filter((item) => missing.has(Number(item.id))).map(events[kind])
    const refused = messages.length === 0 ? [] : await columns.send(columns.queueUrl, messages)
    if (refused.length > 0) throw new Error(`the queue refused changes: ${refused[0]?.reason}`)
    return { queued: messages.length, checked: { ...checked, [kind]: to }, isDone: false }
  }
  return { queued: 0, checked, isDone: true }
}

interface IdRange {
  readonly from: number
  readonly to: number
}

async function readComments(store: ReadingStore, tenant: Tenant, { from, to }: IdRange): Promise<Item[]> {
  const ranges = allCommentsPartitions(tenant).map((pk) => ({
    pk,
    index: slotName(commentSlot),
    from: commentSort(from),
    to: commentSort(to),
  }))
  const found = (await Promise.all(ranges.map((range) => readAll(store, tenant, range)))).flat()
  const items = await store.getMany(tenant, found.map(keyOfItem))
  return items.filter((item) => item !== undefined).map((item) => ({ ...item, tenant_id: tenant.id }))
}

async function readMessages(store: ReadingStore, tenant: Tenant, { from, to }: IdRange): Promise<Item[]> {
  const keys = Array.from({ length: to - from + 1 }, (_, index) => messageKey(tenant, from + index))
  // One that waits is taken in once rules dealt with it.
  return (await store.getMany(tenant, keys)).filter((item) => item !== undefined && item.waiting !== true) as Item[]
}
