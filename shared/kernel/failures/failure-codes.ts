import { ofMissingObjects } from '../object-kinds.ts'

/** The kind of a failure. It decides the HTTP status of the answer, and scripts see it as `error.code`. */
export type FaultKind =
  | 'moved'
  | 'malformed'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'precondition_failed'
  | 'too_large'
  | 'unsupported_media_type'
  | 'invalid'
  | 'too_many_requests'

/**
 * Every code of a fault, with its kind. Clients branch on codes, so a code is never renamed and never changes its
 * meaning (docs/decisions/0042). `shared/platform/http/openapi/explained-codes.ts` explains each one.
 */
export const kindOfCode = {
  table_renamed: 'moved',

  malformed_json: 'malformed',
  malformed_query: 'malformed',

  unauthenticated: 'unauthenticated',
  sign_in_refused: 'unauthenticated',
  wrong_code: 'unauthenticated',
  wrong_credentials: 'unauthenticated',

  forbidden: 'forbidden',
  comment_not_yours: 'forbidden',
  email_unverified: 'forbidden',
  four_eyes: 'forbidden',
  mfa_setup_required: 'forbidden',
  impersonation_refused: 'forbidden',
  person_required: 'forbidden',
  record_forbidden: 'forbidden',
  registration_closed: 'forbidden',
  task_not_yours: 'forbidden',
  tenant_deleted: 'forbidden',

  ...ofMissingObjects(() => 'not_found' as const),
  article_not_found: 'not_found',
  api_key_not_found: 'not_found',
  batch_not_found: 'not_found',
  comment_not_found: 'not_found',
  delivery_not_found: 'not_found',
  endpoint_not_found: 'not_found',
  file_not_found: 'not_found',
  incoming_message_not_found: 'not_found',
  invitation_not_found: 'not_found',
  job_not_found: 'not_found',
  notification_not_found: 'not_found',
  portal_request_not_found: 'not_found',
  process_instance_not_found: 'not_found',
  process_template_not_found: 'not_found',
  provider_not_found: 'not_found',
  record_not_found: 'not_found',
  session_not_found: 'not_found',
  task_not_found: 'not_found',
  tenant_not_found: 'not_found',
  user_not_found: 'not_found',

  method_not_allowed: 'method_not_allowed',

  batch_running: 'conflict',
  built_in: 'conflict',
  count_differs: 'conflict',
  export_running: 'conflict',
  delivery_ended: 'conflict',
  delivery_in_flight: 'conflict',
  history_pending: 'conflict',
  instance_busy: 'conflict',
  instance_ended: 'conflict',
  instance_not_started: 'conflict',
  instance_not_suspended: 'conflict',
  instance_suspended: 'conflict',
  last_administrator: 'conflict',
  mailbox_busy: 'conflict',
  mailbox_of_settings: 'conflict',
  mfa_enabled: 'conflict',
  mfa_not_set_up: 'conflict',
  name_taken: 'conflict',
  no_incident: 'conflict',
  several_instances_wait: 'conflict',
  no_tenant: 'conflict',
  record_busy: 'conflict',
  record_has_merged: 'conflict',
  record_merged: 'conflict',
  record_not_merged: 'conflict',
  request_not_reopenable: 'conflict',
  request_open: 'conflict',
  stale_version: 'conflict',
  sub_process_not_running: 'conflict',
  table_not_empty: 'conflict',
  task_ended: 'conflict',
  task_taken: 'conflict',
  task_unassigned: 'conflict',
  task_without_candidates: 'conflict',
  tenant_exists: 'conflict',
  user_erased: 'conflict',
  too_many_merged: 'conflict',
  write_conflict: 'conflict',

  version_mismatch: 'precondition_failed',

  body_too_large: 'too_large',

  unsupported_media_type: 'unsupported_media_type',

  bot_api_failed: 'invalid',
  cursor_expired: 'invalid',
  ended_without_record: 'invalid',
  hook_failed: 'invalid',
  idempotency_key_reused: 'invalid',
  in_use: 'invalid',
  invalid_cursor: 'invalid',
  invalid_process: 'invalid',
  invalid_script: 'invalid',
  invalid_token: 'invalid',
  mailbox_not_configured: 'invalid',
  mailbox_unreachable: 'invalid',
  page_too_large: 'invalid',
  provider_not_configured: 'invalid',
  query_too_expensive: 'invalid',
  record_too_large: 'invalid',
  refused_by_hook: 'invalid',
  rule_failed: 'invalid',
  validation_failed: 'invalid',

  rate_limited: 'too_many_requests',
  too_many_attempts: 'too_many_requests',
} as const satisfies Record<string, FaultKind>

/** The code of a fault, or of a fault of one kind. */
export type FaultCode<Kind extends FaultKind = FaultKind> = {
  [Code in keyof typeof kindOfCode]: (typeof kindOfCode)[Code] extends Kind ? Code : never
}[keyof typeof kindOfCode]

/**
 * Codes without a fault: defects, throttles of a provider, a failed check of health, and requests that the embedded gateway refuses before a
 * function receives them.
 */
export type UnthrownCode =
  | 'malformed_request'
  | 'request_timeout'
  | 'headers_too_large'
  | 'internal_error'
  | 'throttled'
  | 'unhealthy'

export type FailureCode = FaultCode | UnthrownCode
