import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { AskedTask, MailedTask } from '../../../platform/mail/decision-link.ts'
import type { StopLink } from '../../../platform/mail/stop-link.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { gunzipJson, gzipJson, packJson, readPackedJson } from '../../../platform/store/values/pack-json.ts'
import type { TemplateContent } from '../../notification-templates/translation.ts'
import type { Category } from '../../preferences/categories.ts'
import type { HeldType } from '../../preferences/held-notices.ts'

/** What gathers the notices of one person that were held back. `isGathered`: its content is what they say. */
export interface HeldNotices {
  readonly userId: number
  readonly type: HeldType
  readonly batch: number
  readonly isGathered?: true
}

/** A message that is forwarded: one that came in, or what somebody wrote here. */
export type ForwardedMessage =
  | { readonly message: number }
  | { readonly from: string; readonly atMs: number; readonly text: string }

/** What a message says. */
export interface IntentContent {
  readonly subject?: string
  /** Text, or the JSON of a payload; of a mail its HTML. Empty when a template has it. */
  readonly body: string
  /** Of a mail: the same as plain text, where it is not made from the HTML. */
  readonly text?: string
  /** Of a mail: the `Message-ID` of the mail that it answers, with brackets. */
  readonly inReplyTo?: string
  /** A person wrote the mail to its reader: it is not marked as one that a program made. */
  readonly isPersonal?: true
  /** Of a mail: the address that it leaves from, where that is not the one of its channel. */
  readonly from?: string
  /** Of a mail: the addresses that get a copy. */
  readonly cc?: readonly string[]
  /** Of a mail: the paths of the files that leave inside it, which the comment of its source holds. */
  readonly files?: readonly string[]
  /** Of a mail: the incoming message that it answers, which is quoted below it. */
  readonly quotes?: number
  /** Of a mail: the messages that it forwards, which stand below it. */
  readonly forwards?: readonly ForwardedMessage[]
  /** The kind of event, for receivers that are programs. */
  readonly event?: string
  /** What decides about order and place at the receiver: the partition of a stream, the routing key of a broker. */
  readonly key?: string
  /** The version of a record that the message tells, and the ISO time of its change. */
  readonly change?: { readonly version: number; readonly at: string }
  /** As it was when the message was asked for; rendered for each recipient in their language. */
  readonly template?: TemplateContent
  readonly params?: Readonly<Record<string, unknown>>
  /** Of a mail: the tasks that its reader may decide by its buttons. */
  readonly tasks?: readonly MailedTask[]
  /** Of a mail: what its reader may end by the links in it. */
  readonly stops?: readonly StopLink[]
  /** It gathers the notices of a person that were held back; once it leaves, it is what they say. */
  readonly held?: HeldNotices
  /** Of a notification of people; its title is the subject, its text the body. */
  readonly notice?: {
    readonly url: string | null
    readonly category: Category
    readonly task?: AskedTask
    readonly isOfProcess?: true
    /** Of one that was held back: when it was asked for, while its row says when it began to wait. */
    readonly askedAtMs?: number
  }
}

/** Reads and writes contents that are too large for a row. */
export interface ContentObjects {
  fetchObject(key: string): Promise<Uint8Array>
}

/** A content over this size, compressed, becomes an object: 70 messages share the transaction of one write. */
const maxRowBytes = 12 * 1024

/** What a content may have that is the only one of its write: a comment as long as it may be. */
export const maxOnlyContentBytes = 300 * 1024

/** An object that has to be stored before its intent. */
export interface ContentObject {
  readonly key: string
  readonly body: Uint8Array
}

/** The attributes of an intent's row that hold its content, and the object that they refer to if it is too large. */
export function packContent(
  tenant: TenantRef,
  uuid: string,
  content: IntentContent,
  maxBytes = maxRowBytes,
): { readonly attributes: Item; readonly object?: ContentObject } {
  const packed = packJson(content)
  if (packed.length <= maxBytes) return { attributes: { content: packed } }
  const key = `deliveries/${tenant.id}/${uuid}.json.gz`
  return { attributes: { content_key: key }, object: { key, body: gzipJson(content) } }
}

/** Reads the content that `packContent` wrote. */
export const readContent = async (objects: ContentObjects, item: Item): Promise<IntentContent> =>
  typeof item.content_key === 'string'
    ? gunzipJson<IntentContent>(await objects.fetchObject(item.content_key))
    : (readPackedJson<IntentContent>(item, 'content') as IntentContent)
