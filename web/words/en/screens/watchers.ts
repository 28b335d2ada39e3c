export const watchers = {
  title: 'Watchers',
  empty: 'Nobody watches this record.',
  watch: 'Watch',
  stop: 'Stop watching',
  add: 'Add somebody',
  person: 'Person',
  remove: 'Remove {{name}}',
} as const

declare module '../../words.ts' {
  interface ScreenWords {
    readonly watchers: typeof watchers
  }
}
