import type { MailRecord } from '../../../platform/mail/record-thread.ts'
import type { DeliverySource } from '../state/delivery.ts'

/**
 * The record of a tenant's table to which answers to a message lead, of a merged one that whose customer it answers;
 * undefined when there is none. An answer to what tells
 * of an internal comment leads nowhere: it quotes the comment, and would stand on the record for everybody.
 */
export function recordOfSource({
  model,
  record_id,
  conversation_id,
  is_internal,
}: DeliverySource): MailRecord | undefined {
  const id = conversation_id ?? record_id
  return model === null || id === null || model.startsWith('sys_') || is_internal ? undefined : { model, id }
}
