export const categories = {
  system: 'System and tasks',
  message: 'Messages',
  mention: 'Mentions',
  comment: 'Comments',
  change: 'Changes',
  subscription: 'Subscriptions',
} as const
