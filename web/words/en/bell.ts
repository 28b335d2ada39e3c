export const bell = {
  open_one: 'Notifications, {{count}} unread',
  open_other: 'Notifications, {{count}} unread',
  title: 'Notifications',
  readAll: 'Mark all as read',
  unread: 'unread',
  empty: 'Nothing new',
  emptyWhy: 'What concerns you appears here: tasks, mentions, changes.',
} as const
