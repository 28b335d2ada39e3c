import type { TenantRef } from '../../kernel/tenancy.ts'
import { messageContentKey } from '../../store/keys/incoming.ts'
import type { Key } from '../../store/keys/key.ts'
import type { Item } from '../../store/marshal.ts'
import { gunzipJson, gzipJson, packJson, readPackedJson } from '../../store/pack-json.ts'
import type { MessageContent } from '../message.ts'

/** Reads contents that are too large for a row. */
export interface MessageObjects {
  fetchObject(key: string): Promise<Uint8Array>
}

/** A content over this size, compressed, becomes an object. */
const maxRowBytes = 200 * 1024

/** The row of a content, and the object that has to be stored before it when it is too large for a row. */
export function packMessage(
  tenant: TenantRef,
  id: number,
  uuid: string,
  content: MessageContent,
): { readonly item: Item & Key; readonly object?: { readonly key: string; readonly body: Uint8Array } } {
  const row = { ...messageContentKey(tenant, id), kind: 'incoming_message_content', v: 1 }
  const packed = packJson(content)
  if (packed.length <= maxRowBytes) return { item: { ...row, content: packed } }
  const key = `messages/${tenant.id}/${uuid}.json.gz`
  return { item: { ...row, content_key: key }, object: { key, body: gzipJson(content) } }
}

/** Reads the content that `packMessage` wrote. */
export const readMessageContent = async (objects: MessageObjects, item: Item): Promise<MessageContent> =>
  typeof item.content_key === 'string'
    ? gunzipJson<MessageContent>(await objects.fetchObject(item.content_key))
    : (readPackedJson<MessageContent>(item, 'content') as MessageContent)
