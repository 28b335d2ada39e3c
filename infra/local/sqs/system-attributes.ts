import type { MessageHead } from './message-store.ts'
import type { MessageEntry } from './message-visibility.ts'

/** The 20 digits AWS gives the messages of a FIFO queue. */
export const sequenceNumber = (sequence: number): string => String(sequence).padStart(20, '0')

/** What a message says of itself when it is received. */
export function systemAttributes(
  { fifo }: { readonly fifo: boolean },
  entry: MessageEntry,
  head: MessageHead,
): Record<string, string> {
  const known: Record<string, string | undefined> = {
    SenderId: 'local',
    SentTimestamp: String(head.sentAt),
    ApproximateReceiveCount: String(entry.receives),
    ApproximateFirstReceiveTimestamp: String(entry.firstReceivedAt),
    SequenceNumber: fifo ? sequenceNumber(entry.sequence) : undefined,
    MessageGroupId: head.group,
    MessageDeduplicationId: head.deduplicationId,
    DeadLetterQueueSourceArn: head.deadLetterSource,
    ...head.system,
  }
  return Object.fromEntries(Object.entries(known).filter((pair): pair is [string, string] => pair[1] !== undefined))
}
