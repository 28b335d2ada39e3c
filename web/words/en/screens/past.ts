export const past = {
  menu: 'Earlier versions …',
  title: 'Earlier versions',
  moment: 'Moment',
  position: 'Version {{number}} of {{count}}',
  now: 'Now:',
  restore: 'Bring back',
  restoreField: 'Bring back {{field}}',
  restoreAll: 'Bring all of this back',
  same: 'This is as it is now.',
  done: 'Brought back.',
} as const

declare module '../../words.ts' {
  interface ScreenWords {
    readonly past: typeof past
  }
}
