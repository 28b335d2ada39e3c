export const tasks = {
  claim: 'Claim',
  giveBack: 'Give back',
  takeBack: 'Take back',
  passOn: 'Pass on',
  ask: 'Ask somebody',
  changeDue: 'Change when it is due',
  more: 'More for {{task}}',
  key: 'Task: {{action}}',
  toWhom: 'To whom',
  whom: 'Whom',
  dueAt: 'Due',
  passOnWhy: 'They have it for good.',
  askWhy: 'When they are done it returns, with what they entered, to be completed.',
  dueWhy: 'Empty: at no time.',
  free: 'Nobody has it yet.',
  offeredTo: 'Offered to {{roles}}',
  yours: 'You have it.',
  theirs: '{{name}} has it.',
  theirsFor: '{{name}} has it for {{owner}}.',
  for: 'For {{name}}',
  standsInForYou: '{{name}} has it for you.',
  youAsked: '{{name}} works on it, then it returns to you.',
  asksYou: '{{name}} asks you, then it returns to {{name}}.',
  asked: '{{name}} works on it, then it returns to {{owner}}.',
  returned: 'It has returned to you.',
  proposed: 'Proposed: {{outcome}}',
  proposedHere: 'What was proposed is filled in.',
  fourEyes: 'Not for whoever did “{{element}}” (four eyes).',
} as const

declare module '../../words.ts' {
  interface ScreenWords {
    readonly tasks: typeof tasks
  }
}
