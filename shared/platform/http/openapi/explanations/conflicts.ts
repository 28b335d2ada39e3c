import type { Explanations } from './explanation.ts'

/** Failures that are about the state that something is in. */
export const conflictFailures = {
  table_renamed: {
    meaning: 'The table in the address was renamed; `data.name` is its name, `Location` the same address with it.',
    remedy: 'Follow the redirect, and use the new name: the former one stops leading there 30 days after the rename.',
  },
  batch_running: {
    meaning: 'The batch still runs, so it cannot be undone yet.',
    remedy: 'Wait until `status` of `GET /api/sys/batches/{id}` is `done` or `failed`.',
  },
  count_differs: {
    meaning: 'Not so many records match as `expect` says. Nothing was changed; `data.matched` has the number.',
    remedy: 'Look at the records, then send the request with the right number.',
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
    meaning:
      'A delivery that was delivered, or whose recipient was erased, cannot be retried, and one that has ended cannot be cancelled.',
    remedy: 'Read its `status` with `GET /api/sys/deliveries/{id}`.',
  },
  delivery_in_flight: {
    meaning: 'An attempt to deliver is in flight.',
    remedy: 'Read the delivery again in a minute: the attempt has ended by then.',
  },
  history_pending: {
    meaning: 'The history of the record is still being written.',
    remedy: 'Retry after a few seconds.',
  },
  instance_busy: {
    meaning: 'Another step of the process instance is under way, and it took too long.',
    remedy: 'Nothing was done: try again.',
  },
  instance_ended: {
    meaning: 'The process instance has already ended.',
    remedy: 'Start a new instance if you need one.',
  },
  instance_not_started: {
    meaning: 'The first step of the process instance has failed, so it stands on no element yet.',
    remedy: 'Fix the cause and retry it, or cancel it.',
  },
  instance_not_suspended: {
    meaning: 'The process instance is not suspended.',
    remedy: 'Read the instance; another administrator may have resumed it already.',
  },
  instance_suspended: {
    meaning: 'The process instance is suspended and takes no step.',
    remedy: 'Have an administrator resume it with `POST /api/sys/process-instances/{id}/resume`.',
  },
  last_administrator: {
    meaning: 'The tenant would be left without an administrator.',
    remedy: 'Give another user the role `admin` first.',
  },
  mailbox_busy: {
    meaning: 'The mailbox is being fetched right now.',
    remedy: 'Its mails arrive without you; retry after a minute to fetch what came since.',
  },
  mailbox_of_settings: {
    meaning: 'The mailbox 0 is made by the settings `IMAP_*` and `MAIL_*`.',
    remedy: 'Change it with `PUT /api/sys/settings`.',
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
  sub_process_not_running: {
    meaning: 'The ad-hoc sub-process of the activity has not begun, or has ended.',
    remedy: 'Begin one of the activities that `ad_hoc` of the instance lists.',
  },
  several_instances_wait: {
    meaning: 'A message reaches more process instances than it may: several without a key, or over 20 with one.',
    remedy: 'Give it the `correlation_key` of the one that is meant, or send a signal to reach all of them.',
  },
  no_incident: {
    meaning: 'The process instance has no incident to retry.',
    remedy: 'Read the instance; another user may have retried it already.',
  },
  no_tenant: {
    meaning: 'The deployment has no tenant yet.',
    remedy: 'Ask the operator to invite the first administrator.',
  },
  record_busy: {
    meaning: 'The record is still being deleted, or records that refer to it are just being written.',
    remedy: 'Retry after a few seconds.',
  },
  record_has_merged: {
    meaning: 'Other records were merged into the record; a delete would take them along.',
    remedy: 'Unmerge the records of `data.merged_from` first, or keep the record.',
  },
  record_merged: {
    meaning: 'The record was merged into another, and is not changed any more.',
    remedy: 'Use the record that `data.merged_into` names, or unmerge this one first.',
  },
  request_not_reopenable: {
    meaning:
      'The item of this request names no state to which it may return, no transition leads there from its state, or the record does not meet the condition of the transition.',
    remedy: 'Send a new request, or write a comment. `actions` says what may be done with a request.',
  },
  request_open: {
    meaning: 'The request is not closed, and only a closed one is rated or reopened.',
    remedy: 'Write a comment. `actions` says what may be done with a request.',
  },
  record_not_merged: {
    meaning: 'The record was not merged into another, so there is nothing to take back.',
    remedy: 'Read the record: `merged_into` says whether it was merged.',
  },
  too_many_merged: {
    meaning: 'So many records were merged into one that it can take no more.',
    remedy: 'Merge into another record, or unmerge some.',
  },
  stale_version: {
    meaning: 'The `version` in the body of a changed table is not the current one.',
    remedy: 'Read the object again, apply your change to it, and send its `version`.',
  },
  table_not_empty: {
    meaning: 'The table still holds records, so it cannot be deleted.',
    remedy: 'Delete the records first.',
  },
  task_ended: {
    meaning: 'The task has already been completed or cancelled.',
    remedy: 'Do not retry; the message says who ended the task.',
  },
  task_taken: { meaning: 'Another user has claimed the task.', remedy: 'Claim another one.' },
  task_unassigned: {
    meaning: 'The task is assigned to nobody, so nobody can give it back.',
    remedy: 'Nothing is to be done: its candidates may claim it.',
  },
  task_without_candidates: {
    meaning: 'The task cannot return to its candidates, because it has none.',
    remedy: 'Reassign it to somebody.',
  },
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
} as const satisfies Explanations
