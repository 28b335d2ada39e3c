export const related = {
  title: 'Of the same person',
  none: 'Nothing else yet.',
  all: 'All {{count}}',
} as const

declare module '../../words.ts' {
  interface ScreenWords {
    readonly related: typeof related
  }
}
