/**
 * What applies to every endpoint (contract §1). The page renders paragraphs, `##` headings, `-` lists, `code` and
 * **strong**.
 */
export const apiDescription = `A multi-tenant workflow platform: one API for the records of every table, validated by the fields of the table, with a complete history of every record.

## Requests

Bodies are JSON in UTF-8 with \`snake_case\` keys: at most 4 MB, 32 levels and 10,000 keys. Send the token of a login as \`Authorization: Bearer <token>\`; endpoints marked **open** need no token. Ids are positive integers in order of creation, and are never reused. Datetimes are ISO 8601 in UTC with milliseconds (\`2026-11-20T07:17:00.000Z\`), dates are \`YYYY-MM-DD\`.

## Answers

Success is \`{ "success": true, "data": ..., "message": "OK" }\`. A request that creates something answers 201, a delete answers 204 without a body, all others answer 200. Every answer has an \`x-request-id\`: include it when you report a problem.

## Failures

Failure is \`{ "success": false, "code": "...", "message": "...", "errors": { ... } }\`. The \`code\` is for programs: it is stable, and **Failure codes** lists all codes. The \`message\` is for people. The keys of \`errors\` are the paths of fields (\`title\`, \`table_fields.3.type\`); one answer names all invalid fields. Permission is checked before existence: 403 means that you lack the permission, 404 that the object does not exist or is hidden from you.

## Lists

Lists are paged with \`page\` and \`per_page\` (25 by default, at most 1000), and answers add \`meta\` and \`links\`. To read a long list to its end, send \`meta.next_cursor\` as \`cursor\`: unlike a high page number, it costs the same for every page.

## Concurrent changes

Every record has a \`version\`, which reads and writes also answer as \`ETag\`. Send it as \`If-Match\` to write only if the record has not changed since; otherwise the answer is 412. Without \`If-Match\`, concurrent changes of different fields are all kept.`

/** The sections of the reference in reading order. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  Accounts: 'Sign in and out, register, change your own account, and act as another user.',
  Invitations: 'Invite people to your company, and accept an invitation.',
  'Sign-in at providers':
    'Sign in with a token of an identity provider or with Google and Microsoft, and map groups to organisational units and roles.',
  Users: 'The users of your tenant and their roles.',
  Tenant: 'Take all data of your tenant with you, delete the tenant, and restore it.',
  Roles: 'Named sets of permissions such as `requests.read`, `requests.*` or `*.read`.',
  'API keys': 'Tokens for programs, which act as service users of their own.',
  Tables: 'The structure of your records: fields with their types and rules, states and transitions, and hooks.',
  Settings: 'Values of your tenant by name: time zone, mail, identity providers. Secrets are write-only.',
  Configuration:
    'Roles, tables, relations, processes, channels and notification templates as one document: keep it under version control, compare tenants, or apply it to another tenant.',
  Records: 'Create, read, change and delete the records of a table. `{model}` is the name of the table.',
  Views: 'Saved queries of a table: columns, filter, sort and groups, of one person or shared with others.',
  'Incoming messages': 'What came in from the messenger, the mailbox and the API, and what rules made of it.',
  'Incoming actions': 'Rules that turn messages which came in into records, by themselves or as buttons.',
  Mailboxes: 'The mailboxes whose mails become incoming messages, and the sign-in at their providers.',
  'Inbound sources': 'Other systems that send messages in, each to an address of its own.',
  Comments:
    'What people write about a record, with mentions and files, who is notified of it, and replies to people outside.',
  Presence: 'Who looks at a record, or changes it, at this moment.',
  Relations: 'Many-to-many relations between tables, and the links between their records.',
  Files: 'Upload and download the files of fields of type file and image.',
  History: 'Who changed what, and when. The history of a record is complete, and stays when the record is deleted.',
  Scripts:
    'Hooks are JavaScript that runs before and after writes. Check scripts, try them in a dry run, and read their log.',
  Processes: 'BPMN 2.0 processes around records: templates, running instances, tasks for people, and incidents.',
  Notifications: 'The bell: what people are notified of, and where they want to receive it.',
  Channels: 'Where messages leave: webhooks, mail, SMS, messenger and message brokers, with their secrets.',
  'Notification templates':
    'Subject and body of mails with placeholders, translated by the language of the recipient; scripts send them by their code.',
  Subscriptions: 'Who is notified when records of a table change, without a script: a channel, or people in the bell.',
  Portal:
    'How people without permissions on tables ask for things: items with forms, their own requests, approvals, and articles.',
  Decisions:
    'Decision tables in DMN: what is asked, what each rule answers, and what the rules would have answered for the records of a table.',
  Snippets: 'Texts that people insert into answers and notes, with the values of the record.',
  Macros: 'What people do to a record again and again, as one step; also on many records at once.',
  'Import mappings': 'Which columns of files are which fields, saved under a name for the next import.',
  Batches:
    'Many records at once: bulk changes and imports, what came of each record, and the undo that returns what nobody changed since.',
  Deliveries: 'What became of each message: its attempts, and retry and cancel by hand.',
  Jobs: 'Work that continues after the request was answered: rebuilds of tables, long imports and exports.',
  Reference: 'Health of the service, and its API reference.',
}
