/** Why something that was accepted can hardly be meant. Clients may rely on these codes. */
export const warningCodes = [
  /** Attributes and elements of other engines, which mean nothing here. */
  'ignored',
  /** A draft of a process that cannot run yet. */
  'draft',
  'unknown_channel',
  /** A business rule task names a decision that does not exist. */
  'unknown_decision',
  'unknown_field',
  /** A call activity names a template that does not exist, or that cannot be called as it is. */
  'unknown_process',
  'unknown_role',
  'unknown_table',
  'unknown_template',
  'unknown_user',
  /** Nothing gives a process this variable. */
  'unknown_variable',
  /** A template names a value that its sender does not give. */
  'missing_variable',
  /** A rule of a decision that never matches, or whose result is never used. */
  'unreachable_rule',
  /** It names what a change takes away. */
  'dangling',
] as const
export type WarningCode = (typeof warningCodes)[number]

/**
 * What was accepted and yet can hardly be meant. `path` is that of `errors`; line and column, of a script, count from 1.
 * `element_id`: of a process; null for its document as a whole.
 */
export interface Warning {
  readonly path?: string
  readonly element_id?: string | null
  readonly line?: number
  readonly column?: number
  readonly code: WarningCode
  readonly message: string
}
