export const categories = {
  system: 'System and tasks',
  message: 'Messages',
  mention: 'Mentions',
  comment: 'Comments',
  change: 'Changes',
  subscription: 'Subscriptions',
} as const

declare module '../../words.ts' {
  interface ScreenWords {
    readonly categories: typeof categories
  }
}
