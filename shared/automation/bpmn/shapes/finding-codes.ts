/** What kind of error a finding about a process is. Clients may rely on these codes. */
export const findingCodes = [
  /** No XML, or no BPMN. */
  'unreadable',
  'too_large',
  /** Something is missing that the process needs, such as a condition. */
  'incomplete',
  /** An element of BPMN that the service does not run. */
  'unsupported',
  'invalid_expression',
  /** A reference to nothing, or to an element of another kind. */
  'invalid_reference',
  'unknown_channel',
  'unknown_decision',
  'unknown_field',
  'unknown_role',
  'unknown_table',
  'unknown_template',
  'unknown_user',
  /** Anything else. */
  'invalid',
] as const
export type FindingCode = (typeof findingCodes)[number]
