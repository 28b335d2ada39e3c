/** Every kind of row with a due time, as metrics and alarms name it. */
export const dueKinds = [
  'cleanup',
  'hooks',
  'jobs',
  'processes',
  'intents',
  'deliveries',
  'mailboxes',
  'files',
] as const
export type DueKind = (typeof dueKinds)[number]
