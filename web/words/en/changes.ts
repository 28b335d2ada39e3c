/** What happened to a record, after the name of who did it. */
export const changes = {
  create: 'created this record',
  update: 'changed this record',
  delete: 'deleted this record',
  restore: 'restored this record',
} as const
