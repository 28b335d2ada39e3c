export const incoming = {
  title: 'Incoming',
  message: 'Message',
  which: 'Which messages',
  open: 'Open',
  all: 'All',
  empty: 'Nothing waits here',
  emptyWhy: 'Messages that no rule took appear here.',
  choose: 'Choose a message, or press J.',
  back: 'Back to the list',
  failed: 'rule failed',
  done: 'dealt with',
  email: 'E-mail',
  messenger: 'Messenger',
  api: 'Other system',
  make: 'Make a record',
  table: 'Table',
  made: 'The record was made.',
  openRecord: 'Open',
  dismiss: 'Set aside',
  setAside: 'Set aside.',
  answers: 'Answers to',
  became: 'Became',
  ruleFailed: 'The rule {{rule}} failed:',
  preview: 'Preview of {{rule}}',
  wouldMake: 'This would be made in {{table}}',
  endsWithout: 'The rule would end without a record.',
  alsoCreate: 'It would also create a record in {{table}}.',
  alsoUpdate: 'It would also change a record in {{table}}.',
  alsoDelete: 'It would also delete a record in {{table}}.',
  alsoSends_one: 'It would send {{count}} message.',
  alsoSends_other: 'It would send {{count}} messages.',
  apply: 'Apply',
  keyNext: 'Next message',
  keyPrevious: 'Previous message',
} as const

declare module '../../words.ts' {
  interface ScreenWords {
    readonly incoming: typeof incoming
  }
}
