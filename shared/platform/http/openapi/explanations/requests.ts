import type { Explanations } from './explanation.ts'

/** Failures that are about the request itself, or the service. */
export const requestFailures = {
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

  request_timeout: {
    meaning: 'The request took too long to arrive.',
    remedy: 'Retry, with a smaller body or over a faster connection.',
  },

  version_mismatch: {
    meaning: 'The version in `If-Match` is not the current one, which is in `data.version`.',
    remedy: 'Read the record again, apply your change to it, and send its `ETag` as `If-Match`.',
  },

  body_too_large: {
    meaning: 'The body is larger than 4 MB, or than 16 KB where no token is needed.',
    remedy: 'Split the request into smaller ones.',
  },

  unsupported_media_type: {
    meaning:
      'The address sets the cookie of a browser, and takes its body as JSON only, so that no form of another page reaches it.',
    remedy: 'Send the header `Content-Type: application/json`.',
  },

  bot_api_failed: {
    meaning: 'The server of the messenger refused the bot or the address, or did not answer; the message says why.',
    remedy: 'Check the token of the bot and `api_base`. The address must be reachable by https from the internet.',
  },
  ended_without_record: {
    meaning: 'The script of the rule ended with `return`: for this message it makes no record.',
    remedy: 'Nothing is wrong; `prepare` says beforehand what a rule would do with a message.',
  },
  idempotency_key_reused: {
    meaning: 'The `Idempotency-Key` was used with another body within the last 24 hours.',
    remedy: 'Use a new key for each new request; repeat a request with the same key and the same body.',
  },
  cursor_expired: {
    meaning:
      'The feed of changes cannot be continued: a table of it was removed, or what you may read of it has changed.',
    remedy: 'Read the records anew, and begin a feed without `since`.',
  },
  in_use: {
    meaning:
      'The object is still in use, so it cannot be deleted or replaced: the message says what uses it. Of a record, `errors` names the fields that refer to it with `on_delete: restrict`; a unit may have units below it.',
    remedy: 'Change or delete what uses it first.',
  },
  invalid_cursor: {
    meaning: 'The `cursor` belongs to another list or query, or is damaged.',
    remedy: 'Send `meta.next_cursor` of the previous page with the same query, or start again without a cursor.',
  },
  invalid_process: {
    meaning: 'The BPMN document cannot be executed; `data.findings` lists every reason with its element.',
    remedy: 'Correct these elements and save again, or save a draft (`is_active: false`) meanwhile.',
  },
  invalid_script: {
    meaning: 'The script has a syntax error; `data` has its `line` and `column`.',
    remedy: 'Correct the script at this position.',
  },
  invalid_token: {
    meaning: 'The token of a mailed link is unknown, was used, or has expired.',
    remedy: 'Ask for a new mail and use its link.',
  },
  mailbox_not_configured: {
    meaning: 'The settings name no mailbox, and `errors` names those that are missing; or the mailbox is disabled.',
    remedy: 'Set them with `PUT /api/sys/settings`, or enable the mailbox.',
  },
  mailbox_unreachable: {
    meaning: 'The mailbox could not be opened, or the connection broke off; the message says why.',
    remedy:
      'Correct the settings `IMAP_*`, or the `incoming` of the mailbox; or have the mail server looked at, and test the mailbox again.',
  },
  page_too_large: {
    meaning: 'The page is too large for one answer.',
    remedy: 'Use a `cursor`, a smaller `per_page`, or fewer fields.',
  },
  provider_not_configured: {
    meaning: 'The company has not set up sign-in with this provider, or there is no such company.',
    remedy:
      'Check the slug in `tenant`, or ask an administrator to set the settings `OAUTH_*`, for `sso` also `SSO_CLIENT_SECRET`.',
  },
  query_too_expensive: {
    meaning: 'The list would read more records than one request may read.',
    remedy: 'Narrow the filter, index the field or change the sort, as `errors` says.',
  },
  record_too_large: {
    meaning:
      'The record is larger than 350 KB, or its write needs more than 100 rows at once: files, unique values and messages count.',
    remedy: 'Shorten its values, store large content as files, change fewer files at once, or send fewer messages.',
  },
  hook_failed: {
    meaning:
      'A hook of the table broke: an error in its script, a refused call of `$api`, or a limit. The message names the hook; for administrators `data` has `automation_id`, `line`, `column` and `error`.',
    remedy:
      'Nothing was stored. An administrator corrects the hook; `POST /api/sys/scripts/run` tries it without effects.',
  },
  refused_by_hook: {
    meaning: 'A hook of the table refused the change; the message comes from its script.',
    remedy: 'Follow the message.',
  },
  rule_failed: {
    meaning:
      'The script of a rule for incoming messages refused or failed; the message says why, `data` has its `line` and `column`.',
    remedy: 'Correct the rule with `PUT /api/sys/incoming-actions/{id}`; `prepare` tries it without effects.',
  },
  validation_failed: {
    meaning: 'One or more values are invalid; `errors` names each by its path.',
    remedy: 'Correct these values.',
  },

  rate_limited: {
    meaning: 'The company sends more requests a second than the operator allows each company.',
    remedy: 'Wait for the number of seconds in `Retry-After`; send fewer at a time, or many records in one import.',
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
  throttled: {
    meaning: 'A store of the service takes no more requests at the moment, also after retries.',
    remedy: 'Repeat after the seconds in `Retry-After`; with an `Idempotency-Key`, nothing is done twice.',
  },
  unhealthy: {
    meaning: 'The check of health found the database unable to do its work; `data.status` says in which way.',
    remedy: 'Ask again after the seconds in `Retry-After`; who runs the service finds the cause in its log.',
  },
} as const satisfies Explanations
