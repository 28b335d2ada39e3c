import type { MailRecord } from '../../../platform/mail/record-thread.ts'
import type { DeliverySource } from '../state/delivery.ts'

/**
 * The record of a tenant's table to which answers to a message lead; undefined when there is none. An answer to what tells
 * of an internal comment leads nowhere: it quotes the comment, and would stand on the record for everybody.
 */
export const recordOfSource = ({ model, record_id: id, is_internal }: DeliverySource): MailRecord | undefined =>
  model === null || id === null || model.startsWith('sys_') || is_internal ? undefined : { model, id }
