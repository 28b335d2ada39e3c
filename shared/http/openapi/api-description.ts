/** What holds for every endpoint (contract §1). Paragraphs, `##` headings, `-` lists, `code` and **strong** are understood by the page. */
export const apiDescription = `A multi-tenant workflow platform: one interface for the records of every table, validated by the table's own fields, with a complete history of every record.

## Requests

Bodies are JSON in UTF-8 with \`snake_case\` keys, at most 4 MB, 32 levels deep, 10,000 keys. Send the token of a login result as \`Authorization: Bearer <token>\`; endpoints marked **open** need none. Ids are positive integers that rise with creation and are never used again. Datetimes are ISO 8601 in UTC with milliseconds (\`2026-11-20T07:17:00.000Z\`), dates \`YYYY-MM-DD\`.

## Answers

Success is \`{ "success": true, "data": ..., "message": "OK" }\`. What makes something answers 201, a delete 204 without a body, everything else 200. Every answer carries \`x-request-id\`: quote it when you ask for help.

## Failures

Failure is \`{ "success": false, "code": "...", "message": "...", "errors": { ... } }\`. The \`code\` is for your program: it is stable, and **Failure codes** lists them all. The message is for a person; the keys of \`errors\` are the paths of the fields (\`title\`, \`table_fields.3.type\`), and all invalid fields are named at once. Permission is checked before existence: 403 says you may not ask, 404 that there is nothing for you to see.

## Lists

Lists are paged with \`page\` and \`per_page\` (25 unless asked, at most 1000) and add \`meta\` and \`links\`. To read a long list to its end, send \`meta.next_cursor\` back as \`cursor\`: every page then costs the same, however deep it lies.

## Changes at the same time

Every record has a \`version\`, which reads and writes also answer as \`ETag\`. Send it back as \`If-Match\` to write only if nobody was faster; otherwise the answer is 412. Without it, changes of different fields are both kept.`

/** Sections of the reference, in reading order. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  Accounts: 'Sign in and out, register, accept an invitation, change your own account.',
  Users: 'The people of your tenant, and what each may do.',
  Roles: 'Named sets of permissions such as `requests.read`, `requests.*` or `*.read`.',
  Tables: 'What your records are made of: fields, their types and rules, states and the moves between them.',
  Configuration: 'All of it as one document: keep it under version control, compare tenants, put it into another.',
  Records: 'Create, read, change and delete the records of any table; `{model}` is the name of the table.',
  Relations: 'Many-to-many relations: which tables are related, and which of their records are linked.',
  Files: 'Upload what fields of type file and image hold, and fetch it again.',
  History:
    'Who changed what and when, complete from the first version to the last, and still there when the record is gone.',
  Scripts:
    'Hooks are JavaScript that shapes every write: check them, try them without consequences, and read what they did.',
  Processes:
    'BPMN 2.0 around records: templates, what runs of them, the tasks this has for people, and what needs looking after.',
  Jobs: 'What goes on in the background after a request was answered: rebuilds of tables, long imports and exports.',
  Reference: 'The service about itself.',
}
