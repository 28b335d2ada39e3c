/** What is not stored yet, and what others stored meanwhile. */
export const unsent = {
  onlineAgain: 'You are connected again. What you typed was not sent yet.',
  keptOffline: 'Not sent: there is no connection. What you typed is kept.',
  notReached: 'Not sent: the service was not reached. What you typed is kept.',
  sendNow: 'Send now',
  changedMeanwhile: '{{name}} changed this record:',
  changedToo: 'you are changing it, too',
  gone: 'This record was deleted meanwhile, or you may not see it any more. What you see was there before.',
  keptFrom: 'You typed this before and did not save it.',
  beginAnew: 'Begin anew',
  keptNew: 'You began this before and did not send it.',
} as const

declare module '../../words.ts' {
  interface ScreenWords {
    readonly unsent: typeof unsent
  }
}
