export const record = {
  fields: 'Fields',
  activity: 'Activity',
  about: 'About this record',
  moved: 'Now: {{state}}',
  keyMove: 'Change the state to {{state}}',
  moreMoves: 'More',
  more: 'More actions',
  copyLink: 'Copy link',
  delete: 'Delete',
  deleteTitle: 'Delete {{title}}?',
  deleteWhy: 'The record leaves all lists. Its history stays, and it can be restored from there.',
  saved: 'Saved.',
  save: 'Save',
  discard: 'Discard',
  unsaved: 'Unsaved changes',
  create: 'Create',
  newTitle: 'New in {{table}}',
  older: 'Older',
  becomes: 'becomes',
  somebody: 'Somebody',
  tasks: 'Tasks',
  due: 'due',
  complete: 'Complete',
  noLinks: 'None linked yet.',
  moreLinks_one: 'and {{count}} more',
  moreLinks_other: 'and {{count}} more',
  mailOf: 'Mail from {{name}}',
  asText: 'Show as text',
  asMail: 'Show as mail',
  showPictures_one: 'Show {{count}} picture of other sites',
  showPictures_other: 'Show {{count}} pictures of other sites',
  facts: 'Details',
  formFailed: 'What can be changed here now could not be read. You see the record as it was read last.',
} as const

declare module '../../words.ts' {
  interface ScreenWords {
    readonly record: typeof record
  }
}
