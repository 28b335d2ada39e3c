import * as z from 'zod'
import { AllRead, NotificationAnswer, NotificationQuery } from '../../../shared/messages/bell/schema.ts'
import { defineRoute, signedIn, type Route } from '../../../shared/platform/http/routing/define-route.ts'
import { idOf } from '../../../shared/platform/http/routing/input/path-params.ts'

const tag = 'Notifications'
const newTask = {
  id: 1_795_159_020_000_417,
  title: 'New task: Approve the request',
  text: 'requests 1, due 2026-11-21T07:17:00.000Z',
  url: null,
  category: 'system',
  model: 'requests',
  record_id: 1,
  is_read: false,
  created_at: '2026-11-20T07:17:00.000Z',
}

export const listNotifications = defineRoute({
  method: 'GET',
  path: '/api/notifications',
  tag,
  summary: 'List your notifications',
  description:
    'What you were notified of, newest first, for 90 days. `meta.unread` is the number of unread ones, for the badge of a bell.\n\nTo poll, send the `ETag` of the last answer as `If-None-Match`: while nothing has changed the answer is 304, which costs the service one read.',
  permission: signedIn,
  query: NotificationQuery,
  answer: NotificationAnswer,
  shape: 'page',
  hasEtag: true,
  example: { query: { unread: 'true' }, answer: [newTask] },
})

export const markRead = defineRoute({
  method: 'POST',
  path: '/api/notifications/{id}/read',
  operationId: 'markNotificationRead',
  tag,
  summary: 'Mark a notification as read',
  description: 'One that is read already stays so.',
  permission: signedIn,
  params: z.object({ id: idOf('notification') }),
  answer: NotificationAnswer,
  example: { params: { id: newTask.id }, answer: { ...newTask, is_read: true } },
})

export const markAllRead = defineRoute({
  method: 'POST',
  path: '/api/notifications/read-all',
  operationId: 'markAllNotificationsRead',
  tag,
  summary: 'Mark all notifications as read',
  permission: signedIn,
  answer: AllRead,
  example: { answer: { marked: 3 } },
})

export const bellRoutes: readonly Route[] = [listNotifications, markRead, markAllRead]
