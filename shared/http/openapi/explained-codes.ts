import type { FailureCode } from '../../kernel/failure-codes.ts'
import { statusOfCode } from '../routing/answer-fault.ts'

interface Explanation {
  readonly meaning: string
  readonly remedy: string
}

/** What each code means and what a client can do. A code without an entry is a type error. */
const explanationOf: Record<FailureCode, Explanation> = {
  malformed_json: {
    meaning: 'The request body is not JSON in UTF-8.',
    remedy: 'Send valid JSON; the message says where parsing failed.',
  },
  malformed_query: {
    meaning: 'The `filter` in the query string is not JSON.',
    remedy: 'Send the filter as JSON, percent-encoded.',
  },
  malformed_request: {
    meaning: 'The request is not valid HTTP, or its path holds a broken percent escape.',
    remedy: 'Build the URL with the functions of your language, which escape it correctly.',
  },

  unauthenticated: {
    meaning: 'The token is missing, unknown, expired or revoked.',
    remedy: 'Sign in and send the new token as `Authorization: Bearer <token>`.',
  },
  sign_in_refused: {
    meaning: 'The identity provider, its token or the account did not pass a check. The answer never says which.',
    remedy: 'Sign in at the provider again. If that fails too, an administrator finds the reason in the log.',
  },
  wrong_code: {
    meaning: 'The code of the second factor is wrong or was used before.',
    remedy: 'Wait for the next code of your app and send it. After five wrong codes, start again with your password.',
  },
  wrong_credentials: {
    meaning: 'The e-mail address or the password is wrong, or the account is disabled.',
    remedy: 'Check both. If the password is lost, an administrator can set a new one.',
  },

  forbidden: {
    meaning: 'You lack the permission that this endpoint requires.',
    remedy: 'Ask an administrator for a role with the permission; the reference names it at each endpoint.',
  },
  comment_not_yours: {
    meaning: 'Only its author may edit a comment; only its author and administrators may delete it.',
    remedy: 'Write a comment of your own.',
  },
  mfa_setup_required: {
    meaning: 'A role of yours demands a second factor, and you have none.',
    remedy: 'Set one up with `POST /api/user/mfa` and confirm it with `POST /api/user/mfa/confirm`.',
  },
  impersonation_refused: {
    meaning:
      'You may not act as this user: an administrator, yourself, a disabled user, a service user, or nobody of your company.',
    remedy: 'Choose an active user without the role `admin`.',
  },
  person_required: {
    meaning:
      'Only the person may do this: not an administrator acting as the person, not an API key, and across companies not a session that the identity provider of one company vouches for.',
    remedy: 'Sign in as the person and send the token of that login.',
  },
  record_forbidden: {
    meaning: 'You may see the record, but the rules of your roles do not allow this action on it.',
    remedy: 'Ask an administrator to change the rules of your roles.',
  },
  registration_closed: {
    meaning: 'Registration is closed in this deployment.',
    remedy: 'Ask an administrator for an invitation.',
  },
  task_not_yours: {
    meaning: 'The task is not offered to you, or is assigned to another user.',
    remedy: 'List your own tasks with `GET /api/sys/process-tasks`.',
  },
  tenant_deleted: {
    meaning: 'The tenant was deleted. Its data is removed at `data.delete_at`.',
    remedy: 'Until then an administrator can sign in and restore it with `POST /api/tenant/restore`.',
  },

  auth_mapping_not_found: {
    meaning: 'No mapping of a group has this id.',
    remedy: 'List the mappings with `GET /api/sys/auth-mappings`.',
  },
  api_key_not_found: {
    meaning: 'No API key has this id, or it was ended.',
    remedy: 'List the keys with `GET /api/sys/api-keys`.',
  },
  channel_not_found: {
    meaning: 'No channel has this id.',
    remedy: 'List the channels with `GET /api/sys/channels`.',
  },
  delivery_not_found: {
    meaning: 'No delivery has this id. Deliveries are kept for 90 days.',
    remedy: 'List the deliveries with `GET /api/sys/deliveries`.',
  },
  comment_not_found: {
    meaning: 'The record has no comment with this id, or it is internal and you may not update the record.',
    remedy: 'List the comments of the record again.',
  },
  endpoint_not_found: {
    meaning: 'No endpoint has this method and path, or an id in the path is not a positive integer.',
    remedy: 'Compare the method and the path with the reference.',
  },
  file_not_found: {
    meaning: 'No file has this path, or you may not read any record that holds it.',
    remedy: 'Read the record again and use the path that it holds.',
  },
  invitation_not_found: {
    meaning: 'The invitation is unknown, expired, or was already accepted.',
    remedy: 'Ask for a new invitation.',
  },
  job_not_found: {
    meaning: 'No job has this id, or another user started it.',
    remedy: 'Use the `job_id` of the 202 answer.',
  },
  notification_template_not_found: {
    meaning: 'No notification template has this id.',
    remedy: 'List the templates with `GET /api/sys/notification_templates`.',
  },
  notification_not_found: {
    meaning: 'You have no notification with this id. Notifications are kept for 90 days.',
    remedy: 'List your notifications with `GET /api/notifications`.',
  },
  process_instance_not_found: {
    meaning: 'No process instance has this id, or you may not read its record.',
    remedy: 'List instances with `GET /api/sys/process-instances`.',
  },
  process_template_not_found: {
    meaning: 'No process template has this id.',
    remedy: 'List the templates with `GET /api/sys/process-templates`.',
  },
  provider_not_found: {
    meaning: 'People sign in with `google` and `microsoft`, and with no other provider by this name.',
    remedy: 'Use one of these, or a token of your identity provider at `POST /api/login-sso`.',
  },
  record_not_found: {
    meaning: 'The table has no record with this id, or you may not read it.',
    remedy: 'Stop using the id if the record was deleted: ids are never reused.',
  },
  relation_not_found: {
    meaning: 'No relation has this id, or the table in the path is not part of it.',
    remedy: 'List the relations of the table with `GET /api/sys/relations/all/{sys_table_id}`.',
  },
  role_not_found: { meaning: 'No role has this id.', remedy: 'List the roles with `GET /api/sys/roles`.' },
  session_not_found: {
    meaning: 'You have no session with this id, or it has ended.',
    remedy: 'List your sessions with `GET /api/user/sessions`.',
  },
  subscription_not_found: {
    meaning: 'No subscription has this id.',
    remedy: 'List the subscriptions with `GET /api/sys/subscriptions`.',
  },
  table_not_found: {
    meaning: 'No table has this name or id.',
    remedy: 'List the tables with `GET /api/sys/entities`.',
  },
  task_not_found: {
    meaning: 'No task has this id, or you may not see it.',
    remedy: 'List your tasks with `GET /api/sys/process-tasks`.',
  },
  tenant_not_found: {
    meaning: 'No tenant has this name. Only commands of operators answer this code.',
    remedy: 'Check the spelling of the name.',
  },
  user_not_found: { meaning: 'No user has this id.', remedy: 'List the users with `GET /api/sys/users`.' },

  request_timeout: {
    meaning: 'The request took too long to arrive.',
    remedy: 'Retry, with a smaller body or over a faster connection.',
  },

  built_in: {
    meaning: 'A built-in table cannot be deleted, and the role `admin` cannot be changed or deleted.',
    remedy: 'Create your own table or role.',
  },
  export_running: {
    meaning: 'The tenant has an export that is not finished.',
    remedy: 'Wait for the job in `data.job_id`, then start another one.',
  },
  delivery_ended: {
    meaning: 'A delivery that was delivered cannot be retried, and one that has ended cannot be cancelled.',
    remedy: 'Read its `status` with `GET /api/sys/deliveries/{id}`.',
  },
  delivery_in_flight: {
    meaning: 'An attempt to deliver is under way.',
    remedy: 'Read the delivery again in a minute: the attempt has ended by then.',
  },
  history_pending: {
    meaning: 'The history of the record is still being written.',
    remedy: 'Retry after a few seconds.',
  },
  in_use: {
    meaning: 'The object is still in use, so it cannot be deleted or replaced; the message says what uses it.',
    remedy: 'Remove these uses first.',
  },
  instance_ended: {
    meaning: 'The process instance has already ended.',
    remedy: 'Start a new instance if you need one.',
  },
  last_administrator: {
    meaning: 'The tenant would be left without an administrator.',
    remedy: 'Give another user the role `admin` first.',
  },
  mfa_enabled: {
    meaning: 'You have a second factor already.',
    remedy: 'To replace it, remove it first with `DELETE /api/user/mfa` and a code.',
  },
  mfa_not_set_up: {
    meaning: 'You have no second factor, or have not confirmed it.',
    remedy: 'Start with `POST /api/user/mfa`.',
  },
  name_taken: { meaning: 'The name or code is already taken.', remedy: 'Choose another one.' },
  no_incident: {
    meaning: 'The process instance has no incident to retry.',
    remedy: 'Read the instance; another user may have retried it already.',
  },
  no_tenant: {
    meaning: 'The deployment has no tenant yet.',
    remedy: 'Ask the operator to invite the first administrator.',
  },
  record_busy: {
    meaning: 'The record is still being deleted.',
    remedy: 'Retry after a few seconds.',
  },
  stale_version: {
    meaning: 'The `version` in the body is not the current one.',
    remedy: 'Read the object again, apply your change to it, and send its `version`.',
  },
  task_ended: {
    meaning: 'The task has already been completed or cancelled.',
    remedy: 'Do not retry; the message says who ended the task.',
  },
  task_taken: { meaning: 'Another user has claimed the task.', remedy: 'Claim another one.' },
  tenant_exists: {
    meaning: 'The deployment already has a tenant. Only commands of operators answer this code.',
    remedy: 'Invite another administrator instead.',
  },
  user_erased: {
    meaning: 'The person behind this user was erased. The user remains as the author of its changes only.',
    remedy: 'Create or invite a new user.',
  },
  write_conflict: {
    meaning: 'Other requests changed the same object at the same time, and retrying within this request did not help.',
    remedy: 'Read the object again and retry.',
  },

  version_mismatch: {
    meaning: 'The version in `If-Match` is not the current one, which is in `data.version`.',
    remedy: 'Read the record again, apply your change to it, and send its `ETag` as `If-Match`.',
  },

  body_too_large: { meaning: 'The body is larger than 4 MB.', remedy: 'Split the request into smaller ones.' },

  idempotency_key_reused: {
    meaning: 'The `Idempotency-Key` was used with another body within the last 24 hours.',
    remedy: 'Use a new key for each new request; repeat a request with the same key and the same body.',
  },
  invalid_cursor: {
    meaning: 'The `cursor` belongs to another list or query, or is damaged.',
    remedy: 'Send `meta.next_cursor` of the previous page with the same query, or start again without a cursor.',
  },
  invalid_process: {
    meaning: 'The BPMN document cannot be executed; `data.findings` lists every reason with its element.',
    remedy: 'Correct these elements and save again.',
  },
  invalid_script: {
    meaning: 'The script has a syntax error; `data` has its `line` and `column`.',
    remedy: 'Correct the script at this position.',
  },
  invalid_token: {
    meaning: 'The token of a mailed link is unknown, was used, or has expired.',
    remedy: 'Ask for a new mail and use its link.',
  },
  page_too_large: {
    meaning: 'The page is too large for one answer.',
    remedy: 'Use a `cursor`, a smaller `per_page`, or fewer fields.',
  },
  provider_not_configured: {
    meaning: 'The company has not set up sign-in with this provider, or there is no such company.',
    remedy: 'Check the slug in `tenant`, or ask an administrator to set the settings `OAUTH_*`.',
  },
  query_too_expensive: {
    meaning: 'The list would read more records than one request may read.',
    remedy: 'Narrow the filter, index the field or change the sort, as `errors` says.',
  },
  record_in_use: {
    meaning:
      'Other records refer to this one with `on_delete: restrict`, or it is a unit with units below it; `errors` names the fields.',
    remedy: 'Change or delete these records first.',
  },
  record_too_large: {
    meaning: 'The record is larger than 350 KB, or changes more files than one write may change.',
    remedy: 'Shorten its values, store large content as files, or change fewer files at once.',
  },
  refused_by_hook: {
    meaning: 'A hook of the table refused the change; the message comes from its script.',
    remedy: 'Follow the message.',
  },
  validation_failed: {
    meaning: 'One or more values are invalid; `errors` names each by its path.',
    remedy: 'Correct these values.',
  },

  too_many_attempts: {
    meaning: 'Too many attempts with a wrong password.',
    remedy: 'Wait for the number of seconds in `Retry-After`.',
  },

  headers_too_large: {
    meaning: 'The URL and the headers together are larger than 10,240 bytes.',
    remedy: 'Send a shorter URL or fewer headers; send long queries as the body of `POST /api/e/{model}/list-server`.',
  },
  internal_error: {
    meaning: 'The service failed unexpectedly.',
    remedy: 'Retry. If it fails again, report the `x-request-id`.',
  },
}

/** A failure code with its status and explanation. */
export interface ExplainedCode extends Explanation {
  readonly code: FailureCode
  readonly status: number
}

/** Every failure code, ordered by status, then by name. */
export const explainedCodes: readonly ExplainedCode[] = (Object.keys(explanationOf) as FailureCode[])
  .map((code) => ({ code, status: statusOfCode(code), ...explanationOf[code] }))
  .sort((one, other) => one.status - other.status || (one.code < other.code ? -1 : 1))
