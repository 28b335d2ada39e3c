export const snooze = {
  title: 'Snooze',
  tomorrow: 'Tomorrow morning',
  nextWeek: 'Next week',
  until: 'Until',
  action: 'Snooze until then',
  done: 'Snoozed: it leaves your views until then, or until it changes.',
  snoozed: 'Snoozed until',
  end: 'End snooze',
} as const

declare module '../../words.ts' {
  interface ScreenWords {
    readonly snooze: typeof snooze
  }
}
