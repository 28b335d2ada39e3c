import type { FailureCode } from '../../kernel/failure-codes.ts'
import { statusOfCode } from '../routing/answer-fault.ts'

interface Explanation {
  readonly meaning: string
  readonly remedy: string
}

/** What each code means and what a client does about it. A code without an entry does not compile. */
const explanationOf: Record<FailureCode, Explanation> = {
  malformed_json: {
    meaning: 'The request body is not JSON in UTF-8.',
    remedy: 'Correct the body; the message says where reading it ended.',
  },
  malformed_query: {
    meaning: 'The `filter` in the address is not JSON.',
    remedy: 'Send the filter as JSON, percent-encoded.',
  },
  malformed_request: {
    meaning: 'The request is not valid HTTP, or its path holds a broken percent escape.',
    remedy: 'Encode the path with your language’s URL functions.',
  },

  unauthenticated: {
    meaning: 'The token is missing, unknown or has ended.',
    remedy: 'Sign in and send the new token as `Authorization: Bearer <token>`.',
  },
  wrong_credentials: {
    meaning: 'The e-mail address or the password is wrong, or the account is disabled.',
    remedy: 'Check both; an administrator can invite the user again.',
  },

  forbidden: {
    meaning: 'You lack the permission that this endpoint needs.',
    remedy: 'Ask an administrator for a role with the permission that the reference names.',
  },
  record_forbidden: {
    meaning: 'You may see the record, but the rules of your roles do not allow this action on it.',
    remedy: 'Ask an administrator to change the rules of your roles.',
  },
  registration_closed: {
    meaning: 'This deployment takes no registrations.',
    remedy: 'Ask an administrator for an invitation.',
  },
  task_not_yours: {
    meaning: 'The task is not offered to you, or is assigned to somebody else.',
    remedy: 'List your own tasks with `GET /api/sys/process-tasks`.',
  },

  endpoint_not_found: {
    meaning: 'No endpoint has this method and path, or an id in the path is not one.',
    remedy: 'Compare the method and the path with the reference.',
  },
  file_not_found: {
    meaning: 'No file has this path, or you may not see a record that holds it.',
    remedy: 'Take the path from the record again.',
  },
  invitation_not_found: {
    meaning: 'The invitation is unknown, was accepted, or has expired.',
    remedy: 'Ask for a new invitation.',
  },
  job_not_found: { meaning: 'No job has this id.', remedy: 'Use the `job_id` of the 202 answer.' },
  process_instance_not_found: {
    meaning: 'No process instance has this id, or you may not see its record.',
    remedy: 'List the instances you may see with `GET /api/sys/process-instances`.',
  },
  process_template_not_found: {
    meaning: 'No process template has this id.',
    remedy: 'List the templates with `GET /api/sys/process-templates`.',
  },
  record_not_found: {
    meaning: 'The table has no record with this id, or you may not see it.',
    remedy: 'Drop the id; it is never used again.',
  },
  relation_not_found: {
    meaning: 'No relation has this id, or the table in the path takes no part in it.',
    remedy: 'List the relations of the table with `GET /api/sys/relations/all/{sys_table_id}`.',
  },
  role_not_found: { meaning: 'No role has this id.', remedy: 'List the roles with `GET /api/sys/roles`.' },
  table_not_found: {
    meaning: 'No table has this name or id.',
    remedy: 'List the tables with `GET /api/sys/entities`.',
  },
  task_not_found: {
    meaning: 'No task has this id, or you may not see it.',
    remedy: 'List your tasks with `GET /api/sys/process-tasks`.',
  },
  tenant_not_found: {
    meaning: 'No tenant has this name; only the commands of the operator answer this.',
    remedy: 'Check the spelling of the tenant.',
  },
  user_not_found: { meaning: 'No user has this id.', remedy: 'List the users with `GET /api/sys/users`.' },

  request_timeout: {
    meaning: 'The request took too long to arrive.',
    remedy: 'Send it again, over a faster connection or with a smaller body.',
  },

  built_in: {
    meaning: 'A built-in table cannot be deleted, and the role `admin` cannot be changed or deleted.',
    remedy: 'Make a table or a role of your own.',
  },
  history_pending: {
    meaning: 'The history of the record is still being written.',
    remedy: 'Retry after a few seconds.',
  },
  in_use: {
    meaning: 'What you want to delete or replace is still in use; the message says by what.',
    remedy: 'Release it there first.',
  },
  index_building: {
    meaning: 'An index that this request needs is still being built.',
    remedy: 'Retry once the rebuild job has ended.',
  },
  instance_ended: {
    meaning: 'The process instance has already ended.',
    remedy: 'Read the instance; start a new one if you need to.',
  },
  last_administrator: {
    meaning: 'The tenant would be left without an administrator.',
    remedy: 'Make another user an administrator first.',
  },
  name_taken: { meaning: 'The name or code is already taken.', remedy: 'Choose another one.' },
  no_incident: {
    meaning: 'The process instance has no incident to retry.',
    remedy: 'Read the instance: it may have been retried already.',
  },
  no_tenant: {
    meaning: 'The deployment has no tenant yet.',
    remedy: 'Its operator invites the first administrator.',
  },
  record_busy: {
    meaning: 'A delete of the record has not finished yet.',
    remedy: 'Retry after a few seconds.',
  },
  stale_version: {
    meaning: 'The `version` in the body is not the current one.',
    remedy: 'Read the document again, repeat your change on it, and send its version.',
  },
  task_ended: {
    meaning: 'The task has already been completed or cancelled.',
    remedy: 'Read the task: the message says who was faster.',
  },
  task_taken: { meaning: 'Somebody else has taken the task.', remedy: 'Take another one.' },
  tenant_exists: {
    meaning: 'The deployment already has its tenant; only the commands of the operator answer this.',
    remedy: 'Invite another administrator instead.',
  },
  write_conflict: {
    meaning: 'Others changed the same thing at the same time, and retries could not settle it.',
    remedy: 'Read it again and retry.',
  },

  version_mismatch: {
    meaning: '`If-Match` names a version that is not the current one; `data.version` is.',
    remedy: 'Read the record again, repeat your change, and send the new `ETag`.',
  },

  body_too_large: { meaning: 'The body is larger than 4 MB.', remedy: 'Split the request.' },

  idempotency_key_reused: {
    meaning: 'The `Idempotency-Key` came with another body within 24 hours.',
    remedy: 'Use a new key for a new request, and the same body to repeat one.',
  },
  invalid_cursor: {
    meaning: 'The `cursor` is not one of this list.',
    remedy: 'Use `meta.next_cursor` of the previous page with the same query, or begin without a cursor.',
  },
  invalid_process: {
    meaning: 'The BPMN document cannot run; `data.findings` lists every reason with its element.',
    remedy: 'Change these elements and save again.',
  },
  invalid_script: {
    meaning: 'The script has a syntax error; `data` holds its `line` and `column`.',
    remedy: 'Correct the script there.',
  },
  page_too_large: {
    meaning: 'The page is larger than one answer may be.',
    remedy: 'Use a `cursor`, a smaller `per_page`, or fewer fields.',
  },
  query_too_expensive: {
    meaning: 'The list would read more records than one request may.',
    remedy: 'Narrow, index or sort as `errors` says.',
  },
  record_in_use: {
    meaning: 'Records refer to this one by fields that forbid its deletion; `errors` names them.',
    remedy: 'Change or delete these records first.',
  },
  record_too_large: {
    meaning: 'The record is larger than 350 KB, or changes more files than one write may.',
    remedy: 'Shorten its values, or store large content as files.',
  },
  refused_by_hook: {
    meaning: 'A script of the table refused the change; the message is the script’s own.',
    remedy: 'Correct what the message says.',
  },
  validation_failed: {
    meaning: 'One or more values are wrong; `errors` names every one of them by its path.',
    remedy: 'Correct these values.',
  },

  too_many_attempts: {
    meaning: 'Too many failed attempts with a password.',
    remedy: 'Wait as many seconds as `Retry-After` says.',
  },

  headers_too_large: {
    meaning: 'The address and the headers are larger than 10,240 bytes.',
    remedy: 'Send a shorter address or fewer headers; put long queries into `POST /api/e/{model}/list-server`.',
  },
  internal_error: {
    meaning: 'A defect of the service; the answer says nothing of the inside.',
    remedy: 'Retry; if it stays, quote the `x-request-id`.',
  },
}

export interface ExplainedCode extends Explanation {
  readonly code: FailureCode
  readonly status: number
}

/** Every code that an answer can carry, by status, then by name. */
export const explainedCodes: readonly ExplainedCode[] = (Object.keys(explanationOf) as FailureCode[])
  .map((code) => ({ code, status: statusOfCode(code), ...explanationOf[code] }))
  .sort((one, other) => one.status - other.status || (one.code < other.code ? -1 : 1))
