import type { Notification } from './bell-row.ts'
import type { BellState } from './bell-state.ts'
import type { NotificationAnswer } from './schema.ts'

/** Whether a notification was neither read by itself nor with all others. */
export const isUnread = (one: Notification, { epoch }: Pick<BellState, 'epoch'>): boolean =>
  !one.isRead && one.epoch === epoch

export const describeNotification = (one: Notification, state: Pick<BellState, 'epoch'>): NotificationAnswer => ({
  id: one.id,
  title: one.title,
  text: one.text,
  url: one.url,
  category: one.category,
  model: one.model,
  record_id: one.recordId,
  is_read: !isUnread(one, state),
  created_at: one.createdAt,
})
