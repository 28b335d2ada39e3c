import type { TenantRef } from '../../kernel/tenancy.ts'
import { idAtEnd } from '../../platform/store/keys/key.ts'
import {
  messageKey,
  waitingMessagesPartition,
  waitingMessageSort,
} from '../../platform/store/keys/messages/incoming.ts'
import { readPages } from '../../platform/store/ranges/read-all.ts'
import { messageSlots, slotName } from '../../platform/store/slots.ts'
import type { Store } from '../../platform/store/store.ts'
import type { MessageHead } from './message.ts'
import { readMessageHead } from './rows/message-row.ts'

/** As many as one invocation deals with as a rule. */
const readAtOnce = 25

/**
 * The messages of the conversation of `message` that wait for their rules and come before it, in order, without those that
 * were given up. Reads a few at a time, and only what is asked for. The index may lag behind: a message that was stored
 * just now may be missing.
 */
export async function* waitingMessages(
  store: Pick<Store, 'query' | 'getMany'>,
  tenant: TenantRef,
  { id, conversation, position }: Pick<MessageHead, 'id' | 'conversation' | 'position'>,
): AsyncGenerator<MessageHead, void, undefined> {
  const range = {
    pk: waitingMessagesPartition(tenant, conversation),
    index: slotName(messageSlots.waiting),
    to: waitingMessageSort(position, id),
    limit: readAtOnce,
  }
  for await (const { items } of readPages(store, tenant, range)) {
    const ids = items.map(({ sk }) => idAtEnd(String(sk))).filter((one) => one !== id)
    if (ids.length === 0) continue
    const rows = await store.getMany(
      tenant,
      ids.map((one) => messageKey(tenant, one)),
    )
    for (const row of rows) {
      const head = row && readMessageHead(row)
      if (head?.isWaiting && !head.isGivenUp) yield head
    }
  }
}
