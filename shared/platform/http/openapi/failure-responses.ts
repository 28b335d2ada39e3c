import type { FailureCode } from '../../../kernel/failures/failure-codes.ts'
import { type Route, takesIfMatch } from '../routing/define-route.ts'
import { schemaAt, type HeaderObject, type JsonSchema, type Reference, type ResponseObject } from './document-types.ts'
import { explainedCodes } from './explained-codes.ts'
import { membersOf } from './schema-writer.ts'

interface Failure {
  readonly status: number
  readonly description: string
  readonly example: {
    readonly success: false
    readonly code: FailureCode
    readonly message: string
    readonly [more: string]: unknown
  }
  readonly headers?: readonly string[]
}

/** The shared failure responses by name (contract §1), in the order of the document. */
const failures = {
  Malformed: {
    status: 400,
    description: 'The body or the `filter` is not JSON, or the path holds a malformed escape.',
    example: {
      success: false,
      code: 'malformed_json',
      message: 'The request body is not valid JSON: Unexpected end of JSON input',
    },
  },
  Unauthenticated: {
    status: 401,
    description: 'The token is missing, unknown, expired or revoked.',
    example: { success: false, code: 'unauthenticated', message: 'The token has expired. Sign in again.' },
    headers: ['www-authenticate'],
  },
  SignInFailed: {
    status: 401,
    description: 'The credentials are wrong, or the account is disabled. The answer does not tell which.',
    example: { success: false, code: 'wrong_credentials', message: 'The e-mail address or the password is wrong.' },
    headers: ['www-authenticate'],
  },
  Forbidden: {
    status: 403,
    description: 'The caller lacks the permission, or the tenant was deleted.',
    example: {
      success: false,
      code: 'forbidden',
      message: 'You need the permission requests.update, and none of your roles has it. Ask an administrator.',
    },
  },
  NotFound: {
    status: 404,
    description: 'The object does not exist, or the caller may not see it.',
    example: { success: false, code: 'record_not_found', message: 'The record was not found.' },
  },
  Conflict: {
    status: 409,
    description: 'The current state does not allow it: a name is taken, an object is built in, or others were faster.',
    example: { success: false, code: 'name_taken', message: 'The name has already been taken.' },
  },
  PreconditionFailed: {
    status: 412,
    description:
      'The version in `If-Match` or in the body is not the current one, which is in `data.version` and `ETag`.',
    example: {
      success: false,
      code: 'version_mismatch',
      message: 'The record has changed: its version is 6.',
      data: { version: 6 },
    },
    headers: ['etag'],
  },
  TooLarge: {
    status: 413,
    description: 'The body is larger than 4 MB, or than 16 KB where no token is needed.',
    example: { success: false, code: 'body_too_large', message: 'The request body is larger than 4 MB.' },
  },
  UnsupportedMediaType: {
    status: 415,
    description: 'The request does not say that its body is JSON.',
    example: {
      success: false,
      code: 'unsupported_media_type',
      message: 'Send the body as JSON, with the header "Content-Type: application/json".',
    },
  },
  Invalid: {
    status: 422,
    description: 'One or more values are invalid; `errors` names each by its path.',
    example: {
      success: false,
      code: 'validation_failed',
      message: 'Validation error',
      errors: { title: ['The title field is required.'], priority: ['The priority must be an integer.'] },
    },
  },
  TooManyRequests: {
    status: 429,
    description: 'Too many attempts, or too many requests of the company; `Retry-After` says how many seconds to wait.',
    example: { success: false, code: 'too_many_attempts', message: 'Too many attempts. Try again in 30 seconds.' },
    headers: ['retry-after'],
  },
  ServerError: {
    status: 500,
    description: 'The service failed unexpectedly. Report the `x-request-id`.',
    example: { success: false, code: 'internal_error', message: 'Server error' },
  },
  Throttled: {
    status: 503,
    description: 'The service is busy; `Retry-After` says how many seconds to wait.',
    example: { success: false, code: 'throttled', message: 'The service is busy. Try again in a few seconds.' },
    headers: ['retry-after'],
  },
  Unhealthy: {
    status: 503,
    description:
      'The service cannot do its work: `status` is `unavailable`, and `data.status` is `database_refuses_writes` (it is full or throttled; reads go on) or `database_fails`.',
    example: {
      success: false,
      status: 'unavailable',
      code: 'unhealthy',
      message: 'The database does not answer as it should. The log of the service has the error.',
      data: { status: 'database_fails' },
    },
    headers: ['retry-after'],
  },
} satisfies Record<string, Failure>

type FailureName = keyof typeof failures

/** All codes as Markdown, for readers of the document without the page. */
const codeDescription = [
  'The cause of the failure, for programs. A code is never renamed.',
  explainedCodes
    .map(({ code, status, meaning, remedy }) => `- \`${code}\` (${status}): ${meaning} ${remedy}`)
    .join('\n'),
].join('\n\n')

const paramsSchema: JsonSchema = {
  type: 'object',
  description: 'The values of the sentence by name: texts, numbers, and lists of texts.',
  additionalProperties: {
    anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'array', items: { type: 'string' } }],
  },
}

export const failureSchema: JsonSchema = {
  type: 'object',
  required: ['success', 'code', 'message'],
  properties: {
    success: { type: 'boolean', const: false },
    code: { type: 'string', enum: explainedCodes.map(({ code }) => code), description: codeDescription },
    message: { type: 'string', description: 'The cause in plain English, for people. Its wording may change.' },
    errors: {
      type: 'object',
      description: 'Messages by the path of the field, such as `title` or `table_fields.3.type`.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
    field_errors: {
      type: 'object',
      description:
        'What `errors` says, in the same order, by code and values: for programs that say it in another language or with labels. A code keeps its meaning; `custom` is a sentence without one, such as that of a hook.',
      additionalProperties: {
        type: 'array',
        items: {
          type: 'object',
          required: ['code', 'params', 'message'],
          properties: {
            code: { type: 'string', description: 'Such as `required` or `too_long`.' },
            params: paramsSchema,
            message: { type: 'string', description: 'The sentence in plain English, as in `errors`.' },
          },
        },
      },
    },
    reason: {
      type: 'string',
      description: 'Which sentence `message` is, where it has values, or its `code` has several.',
    },
    params: paramsSchema,
    status: { type: 'string', enum: ['unavailable'], description: 'Only of `GET /api/health`.' },
    data: { description: 'Facts for the client, for example the current `version`.' },
  },
}

export const sharedHeaders: Record<string, HeaderObject> = {
  'x-request-id': { description: 'Identifies the request in the logs.', schema: { type: 'string' } },
  etag: {
    description:
      'The version of the object, in quotes. Send it back as `If-Match`. Of an answer that does not change often, a mark to send back as `If-None-Match`.',
    schema: { type: 'string', examples: ['"5"'] },
  },
  location: { description: 'Where the browser is redirected.', schema: { type: 'string', format: 'uri' } },
  'retry-after': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer', minimum: 1 } },
  'www-authenticate': { description: 'The scheme to authenticate with.', schema: { type: 'string', const: 'Bearer' } },
}

export const headers = (names: readonly string[]): Record<string, Reference> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

export const sharedFailures = (): Record<string, ResponseObject> =>
  Object.fromEntries(
    Object.entries(failures as Record<string, Failure>).map(([name, failure]) => [
      name,
      {
        description: failure.description,
        headers: headers(['x-request-id', ...(failure.headers ?? [])]),
        content: { 'application/json': { schema: schemaAt('Failure'), example: failure.example } },
      },
    ]),
  )

const writes = (route: Route): boolean => route.method !== 'GET'
/** A route without a body takes an empty one, and reads it to refuse any other. */
const takesJson = (route: Route): boolean =>
  route.body !== undefined || (writes(route) && route.method !== 'DELETE' && !route.anyBody)

/** Whether a route can fail this way. */
const applies: Record<FailureName, (route: Route) => boolean> = {
  Malformed: (route) =>
    takesJson(route) ||
    route.params !== undefined ||
    route.alsoFails?.includes(400) === true ||
    (route.query !== undefined && 'filter' in membersOf(route.query)),
  Unauthenticated: (route) => !route.open || route.alsoFails?.includes(401) === true,
  SignInFailed: isSignIn,
  // A deleted tenant refuses every request with a token, and most sign-ins.
  Forbidden: (route) => !route.open || route.shape === 'login' || route.alsoFails?.includes(403) === true,
  NotFound: (route) => route.alsoFails?.includes(404) || route.params !== undefined,
  Conflict: (route) =>
    route.alsoFails?.includes(409) ||
    (writes(route) && route.permission !== undefined && route.permission.kind !== 'signed-in'),
  PreconditionFailed: takesIfMatch,
  TooLarge: (route) => takesJson(route) || route.anyBody === true,
  UnsupportedMediaType: (route) => route.ownPagesOnly === true && takesJson(route),
  // An address refuses parameters and members that it does not know.
  Invalid: (route) => !route.anyBody || route.alsoFails?.includes(422) === true,
  TooManyRequests: (route) => route.alsoFails?.includes(429) === true || checksPassword(route),
  ServerError: readsData,
  Throttled: readsData,
  Unhealthy: (route) => route.alsoFails?.includes(503) === true,
}

/** An open page or file is answered from the bundle alone, unless a token adds something to it. */
function readsData(route: Route): boolean {
  return route.shape !== 'raw' || !route.open || route.takesToken === true
}

/** Routes that check a password throttle failed attempts. */
function checksPassword(route: Route): boolean {
  const members = route.body === undefined ? {} : membersOf(route.body)
  return (isSignIn(route) && 'password' in members) || 'current_password' in members
}

function isSignIn(route: Route): boolean {
  return route.open === true && route.shape === 'login' && route.status === 200
}

/** The failure responses of a route, by status. */
export function failureResponses(route: Route): Record<string, Reference> {
  const names = (Object.keys(failures) as FailureName[]).filter((name) => applies[name](route))
  return Object.fromEntries(names.map((name) => [failures[name].status, { $ref: `#/components/responses/${name}` }]))
}
