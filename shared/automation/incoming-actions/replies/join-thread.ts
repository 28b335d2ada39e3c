import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { findMessage, findMessageHead } from '../../../messages/incoming-messages/find-message.ts'
import type { IncomingMessage, MessageHead } from '../../../messages/incoming-messages/message.ts'
import { continuedRecord, recordOfMessage } from '../../../messages/incoming-messages/messages-of-record.ts'
import { joinMessage } from '../../../messages/incoming-messages/receive/save-message.ts'
import type { MessageObjects } from '../../../messages/incoming-messages/rows/content-row.ts'
import type { Store } from '../../../platform/store/store.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'

/** After so long a message that still waits is not waited for (compare `process-message.ts`). */
const waitMs = 60 * 60_000

/** The message that a mail answers and whose rules have to run first, because they may make the record that it joins. */
export async function answeredFirst(
  { store, clock }: { readonly store: Pick<Store, 'get'>; readonly clock: Pick<Clock, 'now'> },
  tenant: Tenant,
  { id, answers, replyTo }: Pick<MessageHead, 'id' | 'answers' | 'replyTo'>,
): Promise<MessageHead | undefined> {
  if (answers === undefined || answers >= id || replyTo) return undefined
  const head = await findMessageHead(store, tenant, answers)
  return head?.isWaiting && !head.isGivenUp && head.waitingSinceMs > clock.now() - waitMs ? head : undefined
}

/**
 * Joins a mail to the record that the mail made which it answers, once there is one. Answers the message as it is then; one
 * that was joined, or answers nothing, is left as it is.
 */
export async function joinThread(
  objects: MessageObjects & { readonly store: Store; readonly clock: Pick<Clock, 'uuid'> },
  tenant: Tenant,
  message: IncomingMessage,
): Promise<IncomingMessage> {
  const { store, clock } = objects
  if (message.answers === undefined || message.replyTo) return message
  const answered = await recordOfMessage(store, tenant, message.answers)
  const record = answered && (await continuedRecord(store, tenant, answered))
  if (!record) return message
  await wasApplied(store.transact(tenant, joinMessage(tenant, message, record), clock.uuid()))
  // Somebody else joined it, or changed it otherwise: then it joins with its next attempt.
  return (await findMessage(objects, tenant, message.id)) ?? message
}
