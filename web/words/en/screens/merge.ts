export const merge = {
  menu: 'Merge into another …',
  title: 'Merge into another record',
  why: 'Everything about this record moves to the other one. This record leaves all lists; its address leads to the other one.',
  into: 'Merge into',
  find: 'Type a number or words',
  nothing: 'Nothing found',
  moves: 'These move to the other record:',
  movesNothing: 'Nothing has to move.',
  comments_one: '{{count, number}} comment',
  comments_other: '{{count, number}} comments',
  messages_one: '{{count, number}} message',
  messages_other: '{{count, number}} messages',
  watchers_one: '{{count, number}} watcher',
  watchers_other: '{{count, number}} watchers',
  links_one: '{{count, number}} link',
  links_other: '{{count, number}} links',
  references_one: '{{count, number}} reference',
  references_other: '{{count, number}} references',
  files_one: '{{count, number}} file',
  files_other: '{{count, number}} files',
  filled: 'Filled in there: {{fields}}',
  notFilled: 'Stays empty there: {{fields}}',
  processes_one: '{{count, number}} process of this record ends',
  processes_other: '{{count, number}} processes of this record end',
  action: 'Merge',
  done: '{{title}} was merged.',
  merged: 'This record was merged into',
  undo: 'Undo the merge',
  undone: 'The merge was undone.',
} as const

declare module '../../words.ts' {
  interface ScreenWords {
    readonly merge: typeof merge
  }
}
