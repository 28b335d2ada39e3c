export const myWork = {
  title: 'My work',
  tasks: 'Tasks',
  assigned: 'Assigned to me',
  mentions: 'Mentions',
  snoozed: 'Snoozed',
  all: 'Show all {{count, number}}',
  empty: 'Nothing waits for you',
  emptyWhy: 'Tasks, records that are assigned to you, mentions and what you snooze appear here.',
  keyNext: 'Next entry',
  keyPrevious: 'Previous entry',
} as const
