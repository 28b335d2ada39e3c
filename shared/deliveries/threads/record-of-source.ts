import type { MailRecord } from '../../mail/record-thread.ts'
import type { DeliverySource } from '../state/delivery.ts'

/** The record of a tenant's table that a message is about; undefined when there is none. */
export const recordOfSource = ({ model, record_id: id }: DeliverySource): MailRecord | undefined =>
  model === null || id === null || model.startsWith('sys_') ? undefined : { model, id }
