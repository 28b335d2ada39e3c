export const conflict = {
  title: 'Somebody else was faster',
  why: '{{name}} changed this record while you were writing. Choose what shall be stored.',
  mine: 'Yours:',
  theirs: 'Theirs:',
  unchanged: 'Unchanged:',
  discard: 'Discard mine',
  store: 'Store the choice',
} as const

declare module '../../words.ts' {
  interface ScreenWords {
    readonly conflict: typeof conflict
  }
}
