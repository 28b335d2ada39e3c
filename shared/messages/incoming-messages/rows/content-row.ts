import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import { messageContentKey } from '../../../platform/store/keys/messages/incoming.ts'
import { unreadable } from '../../../platform/store/values/json-attribute.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import {
  gunzipJson,
  gunzipText,
  packJson,
  readPackedJson,
  unpackedBytes,
} from '../../../platform/store/values/pack-json.ts'
import type { MessageContent } from '../message.ts'

/** Reads contents that are too large for a row. */
export interface MessageObjects {
  fetchObject(key: string): Promise<Uint8Array>
}

/** A content over this size, compressed, becomes an object. */
const maxRowBytes = 200 * 1024
/** What the content in an object is taken for that was stored before its size was noted. */
const unknownBytes = 1024 * 1024

/** The row of a content, and the object that has to be stored before it when it is too large for a row. */
export function packMessage(
  tenant: TenantRef,
  id: number,
  uuid: string,
  content: MessageContent,
): { readonly item: Item & Key; readonly object?: { readonly key: string; readonly body: Uint8Array } } {
  const row = { ...messageContentKey(tenant, id), kind: 'incoming_message_content', v: 1 }
  const packed = packJson(content)
  if (typeof packed === 'string' || packed.length <= maxRowBytes) return { item: { ...row, content: packed } }
  const key = `messages/${tenant.id}/${uuid}.json.gz`
  return {
    item: { ...row, content_key: key, content_bytes: unpackedBytes(packed) },
    object: { key, body: packed },
  }
}

/** How large the JSON of a content is, from its row alone. */
export function contentBytes({ content, content_bytes: noted }: Item): number {
  if (typeof content === 'string' || content instanceof Uint8Array) return unpackedBytes(content)
  return typeof noted === 'number' ? noted : unknownBytes
}

/** Reads the JSON of a content that `packMessage` wrote. A few kilobytes of it may be megabytes of text. */
export async function readMessageText(objects: MessageObjects, item: Item): Promise<string> {
  if (typeof item.content_key === 'string') return gunzipText(await objects.fetchObject(item.content_key))
  const { content } = item
  if (content instanceof Uint8Array) return gunzipText(content)
  if (typeof content === 'string') return content
  throw unreadable(item, 'content')
}

/** Reads the content that `packMessage` wrote. */
export const readMessageContent = async (objects: MessageObjects, item: Item): Promise<MessageContent> =>
  typeof item.content_key === 'string'
    ? gunzipJson<MessageContent>(await objects.fetchObject(item.content_key))
    : (readPackedJson<MessageContent>(item, 'content') as MessageContent)
