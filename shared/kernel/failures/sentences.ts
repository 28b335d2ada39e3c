import type { Param } from './fill-sentence.ts'

/**
 * What the service says of values and refusals, by code, in English. The code and its values travel beside the message, so
 * that clients say it in other languages and with the labels of fields: the web app has a table with the same codes
 * (`web/words/service/de.ts`). A code is never renamed and never changes its values; its wording may.
 *
 * `{name}` stands for a value, `{name:or}` and `{name:some}` for a list ("a or b", the first ones of a long one),
 * `{name:one|many}` for a word that depends on the number. `[...]` is left out while one of its values is missing or empty;
 * `[...|...]` then says what stands behind the bar.
 */
export const sentences = {
  required: 'The {field} field is required.',
  required_when: 'The {field} field is required when {other} is {value}.',
  required_but_not_yours:
    'The {field} field is required, has no default, and you may not set it. Ask an administrator.',
  unknown_field: 'The {field} field is unknown.[ Did you mean {nearest}?][ Known are: {known:some}.]',
  unknown_member: 'The {field} field is unknown.[ Did you mean {nearest}?][ Known are: {known}.]',
  fields_inside_data: 'The {field} field is unknown. Send the fields themselves, not inside data.',
  read_only: 'The {field} field is read-only.',
  made_by_service: 'The {field} field is read-only: the service makes its value. Leave it out.',
  set_by_service: 'The {field} is a text that the service sets.',
  read_only_here: 'The {field} is read-only in this record and may not be changed.',
  not_yours_to_change: 'You may not change this field.',

  not_text: 'The {field} must be a string.',
  not_number: 'The {field} must be a number.',
  not_integer: 'The {field} must be an integer.',
  not_boolean: 'The {field} must be true or false.',
  not_yes_or_no: 'The {field} field must be true or false.',
  not_list: 'The {field} must be an array.',
  not_object: 'The {field} must be an object.',
  not_json: 'The {field} must be a JSON value.',
  not_point: 'The {field} must be an object with numeric lat (-90 to 90) and lng (-180 to 180).',
  not_date: 'The {field} is not a valid date.',
  not_decimal: 'The {field} must be a decimal number, such as "12.50".',
  not_duration: 'The {field} must be a number of seconds, or a duration such as PT1H30M.',
  not_address: 'The {field} must be a valid email address.',
  not_mail_address: 'The {field} must be a valid email address, such as ada@example.com.',
  not_phone: 'The {field} must be a valid phone number with its country code, such as +49 30 123456.',
  not_phone_of:
    'The {field} must be a valid phone number of {country}, or one with its country code, such as +49 30 123456.',
  phone_with_extension: 'The {field} may not have an extension: only a whole number can be called and compared.',
  not_url: 'The {field} must be a valid URL, such as https://example.com/a.',
  not_url_with: 'The {field} must be a valid URL that begins with {schemes:or}.',
  wrong_format: 'The {field} format is invalid.',
  invalid: 'The {field} is invalid.',

  too_short: 'The {field} must be at least {min} characters.',
  too_long: 'The {field} may not be greater than {max} characters.',
  too_small: 'The {field} must be at least {min}.',
  too_great: 'The {field} may not be greater than {max}.',
  out_of_range: 'The {field} must be between {min} and {max}.',
  too_few_items: 'The {field} must have at least {min} items.',
  too_many_items: 'The {field} may not have more than {max} items.',
  too_many_files: 'The {field} may not have more than {max} files.',
  too_many_decimals: 'The {field} may not have more than {places} {places:digit|digits} after the point.',
  too_many_digits: 'The {field} may not have more than {digits} digits, {places} of them after the point.',
  inexact_number: 'The {field} has more digits than a JSON number keeps exactly: send it as a string.',
  json_too_large: 'The {field} may not be larger than {kilobytes} KB as JSON.',
  values_too_large: 'The {field} may not be larger than {kilobytes} KB.',
  too_early: 'The {field} must be a date after or equal to {min}.',
  too_late: 'The {field} must be a date before or equal to {max}.',
  not_in_future: 'The {field} must be a date in the future.',
  ends_before_start: 'The {field} must be after {from}.',
  duration_without_length:
    'The {field} may not hold years or months, which have no fixed length: write weeks, days, hours, minutes and seconds.',
  duration_with_fraction: 'The {field} must be a whole number of seconds.',
  duration_too_long: 'The {field} is longer than can be counted in seconds.',

  not_selectable: 'The selected {field} is invalid.',
  not_one_of: 'The selected {field} is invalid: it must be one of {allowed}.',
  option_not_text: 'The selected {field} is invalid: it must be a string, one of {allowed:some}.',
  options_not_list: 'The selected {field} is invalid: it must be an array of strings, each one of {allowed:some}.',
  no_such_option:
    'The selected {field} is invalid: there is no such option.[ Did you mean {nearest}?][ There are: {allowed:some}.]',
  no_such_state:
    'The selected {field} is invalid: there is no such state.[ Did you mean {nearest}?][ There are: {allowed:some}.]',
  ambiguous_option: 'The selected {field} is invalid: {value} may be {candidates:or}. Write the one that is meant.',
  ambiguous_state: 'The selected {field} is invalid: {value} may be {candidates:or}. Write the one that is meant.',
  inactive_option: 'The selected {field} is invalid: the option {value} is not active. There are: {allowed:some}.',
  inactive_state: 'The selected {field} is invalid: the state {value} is not active. There are: {allowed:some}.',
  not_initial: 'The selected {field} is invalid: a new record begins in {allowed:or}.',
  not_id: 'The {field} must be the id of {referent}, a positive integer.',

  no_such_move: 'The {field} may not move from {from} to {to}.[ Allowed: {allowed:some}.| From here it may not move.]',
  no_such_first_state:
    'The {field} may not move from no state to {to}.[ Allowed: {allowed:some}.| From here it may not move.]',
  state_not_cleared:
    'The {field} may not move from {from} to no state.[ Allowed: {allowed:some}.| From here it may not move.]',
  move_not_yours:
    'Your roles may not move the {field} from {from} to {to}.[ Allowed: {allowed:some}.| From here it may not move.]',
  move_hidden: 'The {field} may not move to this state.',
  move_without_condition:
    'The {field} may not move from {from} to {to}: the record does not meet the condition of this move.',
  move_lacks_hidden:
    'The {field} may not move to {to}: the record lacks a value that you may not see. Ask an administrator.',

  taken: 'The {field} has already been taken.',
  taken_by_merged:
    'The {field} has already been taken: it is that of record {id}, which was merged into record {into}.',
  used_by: 'The record is still in use: {model} {id} refers to it.',
  used_in: 'The record is still in use in {model}.',

  not_file: 'The {field} must be a file path.',
  not_files: 'The {field} must be a file path or an array of file paths.',
  only_one_file: 'The {field} may hold only one file.',
  file_twice: 'The {field} names a file twice.',
  no_such_file: 'The selected {field} is invalid: no file {path} was uploaded.',
  unfit_file: 'The selected {field} is invalid: {problem}.',
  not_image: 'The {field} must be an image.',
  not_your_file: 'This is no file that you uploaded.',

  password_common: 'The password is too common.',
  password_is_name: 'The password must not be your name or e-mail address.',
  password_wrong: 'The password is incorrect.',
  current_password_wrong: 'The current_password is incorrect.',
  passwords_differ: 'The password confirmation does not match.',
  code_wrong: 'The code is wrong or was used before.',
  already_belongs: 'This person already belongs to this company.',
  has_account: 'This address already has an account: send its password, or the token of a session of it.',
  account_password_wrong: 'This address already has an account, and this is not its password.',
  token_used: 'The token is unknown, was used, or has expired.',

  no_such_user: 'The selected {field} is invalid: there is no user {id}.',
  user_inactive: 'The selected {field} is invalid: {name} is not active any more.',
  substitute_inactive: 'The selected {field} is invalid: this user is not active.',
  substitute_self: 'The selected {field} is invalid: nobody stands in for themselves.',
  substitute_busy:
    'The selected {field} is invalid: this user stands in for {max} people already, and more are not possible.',
  substitutes_in_circle:
    'The selected {field} is invalid: these people would stand in for each other at the same time.',
  substitutes_too_many:
    'The selected {field} is invalid: at most {max} people stand in for each other one after another.',
  needs_substitute: 'The {field} field needs a substitute_id: who gets the tasks meanwhile.',
  delegated_to_self: 'The selected {field} is invalid: you cannot delegate a task to yourself.',
  delegated_to_owner: 'The selected {field} is invalid: the task is that of {name}, to whom it returns.',

  snoozed_into_past: 'The {field} must be in the future.',
  snoozed_too_many: 'You have snoozed {count} records of {model}, and may not snooze more. End some first.',
  too_many_mentions: 'A comment may mention at most {max} people.',
  empty_body: 'The body may not be empty.',
  note_not_sent: 'An internal note is sent to nobody: leave send out, or is_internal.',
  no_such_comment: 'There is no comment {id} on {model} {record}.',
  too_many_watchers: 'At most {max} watchers may be added to a record.',
  no_active_user: 'There is no active user with this id.',
  nobody_with_address: 'Nobody in your company has the address {email}.',
  too_many_views: 'You have {count} private views, and may have no more. Remove some first.',
  no_such_item: 'There is no item with this id that you may send. List them with GET /api/portal/items.',
  not_in_form: 'The form {form} has no field {field}.[ Did you mean {nearest}?]',
  not_asked: 'The form {form} does not ask for {field} with these values: leave it out.',
  merged_into_itself: 'A record cannot be merged into itself. Name another one.',
  nothing_to_split: 'Name at least one comment, or one message in message_ids.',
  nothing_to_set: 'The set must name at least one field.',

  delivery_interrupted: 'The attempt was interrupted; whether the receiver accepted is not known.',
  delivery_not_kept: 'The content of the message is not kept any more.',
  delivery_failed_here: 'The service failed to send the message; its log has the reason.',
  mail_too_large: 'The mail is larger than the mail server accepts.',
  mail_server_not_public: 'The mail server {host} is not on the public internet.',
  mail_server_unreachable: 'The mail server could not be reached: {why}.',
  mail_server_silent: 'The mail server did not answer within {seconds} s.',
  mail_server_unknown: 'The name of the mail server, {host}, could not be resolved.',
  chat_refused: 'The chat takes no messages of this bot{said}.',

  permission_missing: 'You need the permission {permission}, and none of your roles has it. Ask an administrator.',
  task_not_offered: 'This task is not offered to you.',
  task_of_another: 'This task is assigned to another user.',
  task_of_nobody: 'This task is assigned to nobody: claim it first, or ask an administrator.',
  task_of: 'This task is assigned to {name}: only {name} and administrators decide who does it.',
  task_delegated_by: '{name} has delegated this task: only {name} and administrators decide who does it.',
  task_with_delegate:
    'You delegated this task to {name}, who completes it first: reassign it to yourself to take it back.',
  task_done_by: '{name} has completed "{task}", so somebody else has to do this task (four eyes).',
  task_done_by_key_of: 'An API key of {name} has completed "{task}", so somebody else has to do this task (four eyes).',
  task_taken_by: 'The task has been taken[ by {name}].',
  task_completed: 'The task was completed[ by {name}] at {at}.',
  task_cancelled: 'The task was cancelled at {at}.',
  too_many: 'Too many {what}. Try again in {seconds} seconds.',
  too_many_of_company: 'Too many requests of your company. Try again in {seconds} seconds.',
  version_is: 'The {what} has changed: its version is {version}.',
  request_not_closed: 'This request is not closed, so there is nothing to reopen.',
  rated_too_early: 'This request is not closed yet. Rate it when it is, or write a comment.',
} as const

export type SentenceCode = keyof typeof sentences
type Named<Part extends string> = Part extends `${infer Name}:${string}` ? Name : Part
type NamesIn<Text extends string> = Text extends `${string}{${infer Part}}${infer Rest}`
  ? Named<Part> | NamesIn<Rest>
  : never
type WithoutOptional<Text extends string> = Text extends `${infer Before}[${string}]${infer After}`
  ? `${Before}${WithoutOptional<After>}`
  : Text
/** The values that a sentence needs; those between brackets may be undefined. */
export type ParamsOf<Code extends SentenceCode> = {
  readonly [Name in NamesIn<WithoutOptional<(typeof sentences)[Code]>>]: Param
} & { readonly [Name in NamesIn<(typeof sentences)[Code]>]?: Param | undefined }
