import type { TenantRef } from '../../kernel/tenancy.ts'
import { isoTime } from '../../kernel/time/clock.ts'
import type { AskedTask } from '../../platform/mail/decision-link.ts'
import { type Key, keyHash } from '../../platform/store/keys/key.ts'
import { bellKey, bellSort } from '../../platform/store/keys/messages/bell.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import type { Category } from '../preferences/categories.ts'

/** What a user is notified of. */
export interface Notice {
  /** The same in every repeat: a user is notified once under a key. */
  readonly key: string
  readonly userId: number
  readonly title: string
  readonly text: string
  readonly url: string | null
  readonly category: Category
  /** When it was asked for (Unix milliseconds), the same in every repeat. */
  readonly createdAtMs: number
  /** The record that it is about. */
  readonly model: string
  readonly recordId: number | null
  /** It repeats an internal comment. */
  readonly isInternal?: true
  /** A process asked for it. */
  readonly isOfProcess?: true
  /** The task that it asks for. */
  readonly task?: AskedTask
  /** Whose mails led to it, as an intent names them (`shared/messages/deliveries/rows/intent-row.ts`). */
  readonly answers?: readonly string[] | 'record'
}

/** A notification of a user. */
export interface Notification extends Omit<
  Notice,
  'key' | 'createdAtMs' | 'isInternal' | 'isOfProcess' | 'task' | 'answers'
> {
  readonly id: number
  readonly createdAt: string
  /** The epoch of the user's bell in which it arrived. */
  readonly epoch: number
  readonly isRead: boolean
}

/** Characters that are kept. */
const limits = { title: 200, text: 1000, url: 1000 }

/**
 * The first id that a notice may have. Another notice may hold it: then the next free one after it is taken, in every
 * repeat the same one.
 */
export const firstIdOf = ({ key, createdAtMs }: Notice): number =>
  createdAtMs * 1000 + (Buffer.from(keyHash(key), 'base64url').readUInt32BE() % 1000)

/** The row of a notification that nobody has read. */
export const notificationItem = (tenant: TenantRef, id: number, epoch: number, notice: Notice): Item & Key => ({
  ...bellKey(tenant, notice.userId, id),
  kind: 'notification',
  v: 1,
  id,
  user_id: notice.userId,
  key: keyHash(notice.key),
  epoch,
  title: cut(notice.title, limits.title),
  text: cut(notice.text, limits.text),
  url: notice.url === null || notice.url.length > limits.url ? null : notice.url,
  category: notice.category,
  is_read: false,
  created_at: isoTime(notice.createdAtMs),
  model: notice.model,
  record_id: notice.recordId,
  expires_at: expiresAtSeconds(notice.createdAtMs),
})

const cut = (text: string, most: number): string =>
  (text.length > most ? `${text.slice(0, most - 1)}…` : text).toWellFormed()

/** Whether a stored row is the notification of this notice. */
export const isOfNotice = (item: Item | undefined, { key }: Notice): boolean => item?.key === keyHash(key)

/** Reads the row of a notification. */
export const readNotification = (item: Item): Notification => ({
  id: Number(item.id),
  userId: Number(item.user_id),
  title: String(item.title),
  text: String(item.text),
  url: item.url === null ? null : String(item.url),
  category: item.category as Category,
  createdAt: String(item.created_at),
  model: String(item.model),
  recordId: item.record_id === null ? null : Number(item.record_id),
  epoch: Number(item.epoch),
  isRead: item.is_read === true,
})

/** A notification is kept until the end of the ninetieth day (UTC) after the one on which it was made. */
const keptDays = 90
const dayMs = 24 * 60 * 60 * 1000
/** Ids of notifications are microseconds. */
const idsPerDay = dayMs * 1000

/** The number of a day (UTC) since 1970. */
export const dayOf = (atMs: number): number => Math.floor(atMs / dayMs)
export const dayOfId = (id: number): number => Math.floor(id / idsPerDay)
/** Whether notifications of this day are still kept. */
export const isKept = (day: number, today: number): boolean => day >= today - keptDays

/** When a notification made at this time is removed (Unix seconds). */
const expiresAtSeconds = (atMs: number): number => ((dayOf(atMs) + keptDays + 1) * dayMs) / 1000

/** The sort keys of the notifications of some days, the last one included. */
export const sortsOfDays = (firstDay: number, lastDay: number): { readonly from: string; readonly to: string } => ({
  from: bellSort(firstDay * idsPerDay),
  to: bellSort((lastDay + 1) * idsPerDay - 1),
})
