import type { TenantRef } from '../kernel/tenancy.ts'
import { messageKey, waitingMessagesPartition } from '../store/keys/incoming.ts'
import { idAtEnd } from '../store/keys/key.ts'
import { readAll } from '../store/ranges/read-all.ts'
import { messageSlots, slotName } from '../store/slots.ts'
import type { Store } from '../store/store.ts'
import type { MessageHead } from './message.ts'
import { readMessageHead } from './rows/message-row.ts'

/** One invocation deals with no more; each message has its own. */
const maxMessages = 100

/**
 * The messages that wait for their rules: those of the conversation of `message` that come before it, in order, and
 * last the message itself. The index may lag behind: one that was stored just now may be missing.
 */
export async function waitingMessages(
  store: Pick<Store, 'query' | 'getMany'>,
  tenant: TenantRef,
  message: MessageHead,
): Promise<MessageHead[]> {
  const items = await readAll(store, tenant, {
    pk: waitingMessagesPartition(tenant, message.conversation),
    index: slotName(messageSlots.waiting),
  })
  const ids = items.map(({ sk }) => idAtEnd(String(sk))).filter((id) => id !== message.id)
  const rows = await store.getMany(
    tenant,
    ids.slice(0, maxMessages).map((id) => messageKey(tenant, id)),
  )
  const earlier = rows
    .flatMap((row) => (row ? [readMessageHead(row)] : []))
    .filter(({ isWaiting, position, id }) => isWaiting && isBefore({ position, id }, message))
  return [...earlier, message]
}

type Place = Pick<MessageHead, 'position' | 'id'>
const isBefore = (a: Place, b: Place): boolean => a.position < b.position || (a.position === b.position && a.id < b.id)
