import type { Caller } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Page } from '../../platform/http/routing/envelope.ts'
import { listRows, type RowList } from '../../platform/listing/list-rows.ts'
import { type MessageGroup, messageKey, messagePartitions } from '../../platform/store/keys/messages/incoming.ts'
import { messageSlots, slotName } from '../../platform/store/slots.ts'
import { type ReadingDependencies, readsAllMessages, sendersOf } from './find-message.ts'
import { hideRecords, type RecordSight } from './hide-records.ts'
import { isProcessed, type MessageHead, messageSequence } from './message.ts'
import { readFirstContents } from './read-contents.ts'
import { readMessageHead, senderOf } from './rows/message-row.ts'
import type { MessageAnswer, MessageQuery } from './schema.ts'

/**
 * Lists the messages that the caller may read, newest first. A page over 4 MB ends early when it is read by cursor;
 * else throws Invalid with the number that fits.
 */
export async function listMessages(
  services: ReadingDependencies & RecordSight,
  caller: Caller,
  query: MessageQuery,
): Promise<Page<MessageAnswer>> {
  const { tenant } = caller
  const senders = readsAllMessages(caller) ? undefined : await sendersOf(services.store, caller)
  return listRows<MessageHead, MessageAnswer>(
    services.store,
    tenant,
    listOf(tenant, query, senders),
    async (heads) => readFirstContents(services, tenant, heads, await hideRecords(services, caller, heads)),
    query,
  )
}

/** `senders`: only their messages. */
function listOf(
  tenant: TenantRef,
  { channel, is_processed }: Pick<MessageQuery, 'channel' | 'is_processed'>,
  senders: readonly string[] | undefined,
): RowList<MessageHead> {
  const filters = [senders, channel, is_processed].filter((one) => one !== undefined).length
  return {
    name: 'messages',
    ...sourcesOf(tenant, channel, is_processed, senders),
    keyOf: (id) => messageKey(tenant, id),
    read: readMessageHead,
    textsOf: ({ fromName, fromEmail, fromId, subject }) => [fromName, fromEmail, fromId, subject],
    keep: (rows) =>
      rows.filter(
        (message) =>
          (channel === undefined || message.channel === channel) &&
          (is_processed === undefined || isProcessed(message) === is_processed) &&
          (senders === undefined || senders.includes(senderOf(message) ?? '')),
      ),
    isCountable: filters < 2,
  }
}

/** The keys to read: of the filter that leaves the fewest messages. */
function sourcesOf(
  tenant: TenantRef,
  channel: string | undefined,
  processed: boolean | undefined,
  senders: readonly string[] | undefined,
): Pick<RowList<MessageHead>, 'sources' | 'sequence'> {
  const of = (slot: number, groups: readonly MessageGroup[]) => {
    const index = slotName(slot)
    return groups.flatMap((group) => messagePartitions(tenant, group)).map((pk) => ({ pk, index }))
  }
  if (senders !== undefined)
    return {
      sources: of(
        messageSlots.bySender,
        senders.map((sender) => ({ sender })),
      ),
    }
  if (processed !== undefined) return { sources: of(messageSlots.byState, [{ isProcessed: processed }]) }
  if (channel !== undefined) return { sources: of(messageSlots.byChannel, [{ channel }]) }
  return {
    sources: of(messageSlots.byState, [{ isProcessed: false }, { isProcessed: true }]),
    sequence: messageSequence,
  }
}
