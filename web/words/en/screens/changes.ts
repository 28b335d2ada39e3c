/** What happened to a record, after the name of who did it. */
export const changes = {
  create: 'created this record',
  update: 'changed this record',
  delete: 'deleted this record',
  restore: 'restored this record',
  into: 'merged this record into {{id}}',
  from: 'merged {{id}} into this record',
  unmerged_from: 'took the merge into {{id}} back',
  unmerged: 'took the merge of {{id}} back',
  split_into: 'split comments off into {{id}}',
  split_from: 'made this record of comments of {{id}}',
} as const

declare module '../../words.ts' {
  interface ScreenWords {
    readonly changes: typeof changes
  }
}
