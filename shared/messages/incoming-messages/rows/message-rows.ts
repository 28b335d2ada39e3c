import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import { messageLinkKey, messageOnceKey } from '../../../platform/store/keys/messages/incoming.ts'
import type { Write } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import type { RecordRef } from '../message.ts'

/** Senders repeat a message for days at most. */
const onceSeconds = 30 * 24 * 60 * 60

/** The row that says a message was taken, and as which one. */
export const onceItem = (tenant: TenantRef, once: string, messageId: number, nowMs: number): Item & Key => ({
  ...messageOnceKey(tenant, once),
  kind: 'incoming_message_once',
  v: 1,
  message_id: messageId,
  expires_at: Math.floor(nowMs / 1000) + onceSeconds,
})

/** The write that makes a message one of a record's. Repeatable. */
export const linkMessage = (tenant: TenantRef, { model, id }: RecordRef, messageId: number): Write => ({
  put: {
    ...messageLinkKey(tenant, model, id, messageId),
    kind: 'incoming_message_link',
    v: 1,
    message_id: messageId,
  },
})
