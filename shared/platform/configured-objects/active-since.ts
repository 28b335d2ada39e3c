/** An object that acts on changes of a table while it is active. */
export interface Activated {
  readonly table: string
  readonly isActive: boolean
  /** ISO time since when it acts on changes of its table; undefined for one from before this was stored. */
  readonly activeSince?: string
}

/**
 * Since when an object acts on changes of its table, for its row: `at`, the time of this change, when it is new, or was
 * switched on, or got another table.
 */
export const activeSince = (
  before: Activated | undefined,
  { table }: Pick<Activated, 'table'>,
  at: string,
): Pick<Activated, 'activeSince'> => ({
  activeSince: before?.isActive && before.table === table ? before.activeSince : at,
})

/**
 * Whether a change made at `at` is one that an active object acts on. The feed brings changes seconds later, at times
 * minutes: one from before the activation is none of its business, one of the same millisecond is. Without a time, which
 * messages of an earlier format do not have, it is.
 */
export const isActiveFor = ({ isActive, activeSince: since }: Activated, at: string | undefined): boolean =>
  isActive && (since === undefined || at === undefined || at >= since)
