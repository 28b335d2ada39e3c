import * as limits from '../../../../../kernel/limits/requests.ts'
import { explained } from '../explained.ts'

export const requestsLimits = explained('Requests and answers', limits, {
  maxBodyBytes: ['bytes', 'the body of a request', '413 body_too_large'],
  maxOpenBodyBytes: [
    'bytes',
    'the body of a request that needs no token; of those that bring a message in, 4 MB',
    '413 body_too_large',
  ],
  maxBodyDepth: ['levels', 'objects and arrays in each other in a body', '422'],
  maxBodyKeys: ['keys', 'keys in a body; of an import, in each row', '422'],
  maxBodyElements: [
    'elements',
    'elements of all lists in a body; of an import, in each row; of a table or configuration, in each of its objects',
    '422',
  ],
  maxPageBytes: [
    'bytes',
    'one page of a list',
    'Under `cursor` the page ends early; under `page` 422 on `per_page`, which names how many rows fit',
  ],
  maxNamedPaths: ['paths', 'paths that `errors` of a failure names', 'The first ones are named'],
  maxPathCharacters: ['characters', 'a path in `errors`', 'It is cut'],
  maxMessageCharacters: ['characters', 'a message of a failure', 'It is cut'],
  maxPerPage: [
    'rows',
    '`per_page` of records, of what happens to them, and of tables',
    'Clamped; `meta.per_page` shows the real one',
  ],
  maxListedPerPage: [
    'rows',
    '`per_page` of the lists of what is configured: users, roles, channels, templates, rules, ...',
    'Clamped; `meta.per_page` shows the real one',
  ],
  maxWritesAtOnce: [
    'writes',
    'rows that one write of a record may make: itself, unique values, files and messages',
    '422 record_too_large, with the count of each',
  ],
  maxBytesAtOnce: ['bytes', 'what those rows hold together', '422 record_too_large'],
  maxConflictMs: [
    'milliseconds',
    'for how long a write is repeated while others change the same record',
    '409 write_conflict',
  ],
  maxNameCharacters: ['characters', 'names of tables, fields, roles and providers', '422; of an address 404'],
  maxPageCursorCharacters: ['characters', '`cursor` of a list', '422'],
})
