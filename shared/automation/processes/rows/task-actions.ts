/** What people do with a task besides reading it. */
export const taskActions = [
  'claimed',
  'unclaimed',
  'reassigned',
  'delegated',
  'resolved',
  'due_changed',
  'completed',
] as const
export type TaskAction = (typeof taskActions)[number]
