export const split = {
  menu: 'Split comments off …',
  title: 'Make a record of comments',
  why: 'The comments that you choose leave this record for a new one.',
  empty: 'No comments yet',
  emptyWhy: 'Only comments can become a record of their own.',
  action: 'Create record',
} as const

declare module '../../words.ts' {
  interface ScreenWords {
    readonly split: typeof split
  }
}
