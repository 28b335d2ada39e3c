import type * as z from 'zod'
import { warningCodes } from '../../../kernel/failures/warning.ts'
import { scalarMembers } from '../paging/scalar-members.ts'
import type { Route } from '../routing/define-route.ts'
import { schemaAt, type JsonSchema, type ResponseObject } from './document-types.ts'
import { headers } from './failure-responses.ts'
import type { SchemaWriter } from './schema-writer.ts'

const success: JsonSchema = { type: 'boolean', const: true }
const message: JsonSchema = { type: 'string', const: 'OK' }

const counted = (description: string, orNull = false): JsonSchema => ({
  type: orNull ? ['integer', 'null'] : 'integer',
  description,
})
const address = (description: string, orNull = false): JsonSchema => ({
  type: orNull ? ['string', 'null'] : 'string',
  format: 'uri',
  description,
})

/** The schemas of `meta` and `links` of a page (contract §1, Pagination). */
export const pageSchemas: Record<string, JsonSchema> = {
  PageMeta: {
    type: 'object',
    required: ['current_page', 'from', 'to', 'per_page', 'last_page', 'total', 'next_cursor'],
    properties: {
      current_page: counted('Number of this page; null when the list is read by cursor.', true),
      from: counted('Position of the first row in the list, from 1; null on an empty page.', true),
      to: counted('Position of the last row in the list; null on an empty page.', true),
      per_page: counted('Rows per page, after limiting it to 1 to 1000.'),
      last_page: counted('Number of the last page; 1 when there are no rows.'),
      total: counted('Number of rows in the list.'),
      next_cursor: {
        type: ['string', 'null'],
        description: 'Send it as `cursor` to read the next page; null at the end of the list.',
      },
    },
  },
  PageLinks: {
    type: 'object',
    required: ['first', 'last', 'prev', 'next'],
    properties: {
      first: address('The first page.'),
      last: address('The last page.'),
      prev: address('The previous page.', true),
      next: address('The next page.', true),
    },
  },
}

/**
 * The schema of a route's answer: the payload in the envelope of its shape. Both are shared: the payload by its own name
 * or that of the operation, the envelope by that of the payload.
 */
function answerSchema(route: Route, writer: SchemaWriter, name: string): JsonSchema {
  if (route.shape === 'raw') return writer.writeNamed(route.answer, `${name}Answer`)
  if (['undefined', 'null'].includes(route.answer.def.type))
    return writer.share(envelope({ data: { type: 'null' } }), 'NoDataEnvelope')
  const payload = writer.writeNamed(route.answer, `${name}Data`)
  const owner = nameIn(payload) ?? name
  switch (route.shape) {
    case 'data':
      return writer.share(
        withWarnings(route, envelope({ data: payload })),
        `${owner}${route.mayWarn ? 'Warned' : ''}Envelope`,
      )
    case 'page':
      return writer.share(pageSchema(payload), `${owner}Page`)
    case 'login':
      return loginSchema(payload, writer, owner)
  }
}

/** The envelope of a login: its payload is at the top level and again in `data`. */
function loginSchema(payload: JsonSchema, writer: SchemaWriter, owner: string): JsonSchema {
  const { anyOf, properties = {}, required = [] } = writer.resolve(payload)
  if (anyOf)
    return writer.share({ anyOf: anyOf.map((one) => loginSchema(one, writer, nameIn(one) ?? owner)) }, `${owner}Login`)
  const { properties: wrapped, required: always = [] } = envelope({ data: payload })
  return writer.share(
    {
      description: 'The login result is at the top level and again in `data`.',
      type: 'object',
      required: [...new Set([...always, ...required])],
      properties: { ...properties, ...wrapped },
    },
    `${owner}Login`,
  )
}

/** The name of the shared schema that a schema consists of. */
const nameIn = (schema: JsonSchema): string | undefined => schema.$ref?.split('/').at(-1)

/** A page of rows in its envelope. */
export const pageSchema = (row: JsonSchema): JsonSchema =>
  envelope({ data: { type: 'array', items: row }, meta: schemaAt('PageMeta'), links: schemaAt('PageLinks') })

export const envelope = (members: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  required: ['success', ...Object.keys(members), 'message'],
  properties: { success, ...members, message },
})

/** Adds `warnings`, which is absent when there are none. */
const withWarnings = (route: Route, schema: JsonSchema): JsonSchema =>
  route.mayWarn ? { ...schema, properties: { ...(schema.properties as Record<string, JsonSchema>), warnings } } : schema

const text = { type: 'string' }
const position = { type: 'integer', minimum: 1 }
const warnings: JsonSchema = {
  type: 'array',
  description:
    'Present when something was accepted that can hardly be meant: a name that nothing has yet, a value that a template does not get.',
  items: {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      path: { ...text, description: 'Where it stands, as the keys of `errors` say it.' },
      element_id: { type: ['string', 'null'], description: 'Of a process: its element, or null for the document.' },
      line: position,
      column: position,
      code: { type: 'string', enum: [...warningCodes] },
      message: text,
    },
  },
}

/** The example of a route in its envelope. */
function wrapExample(route: Route, url: string): unknown {
  const payload = route.example?.answer
  switch (route.shape) {
    case 'raw':
      return payload
    case 'data':
      return { success: true, data: payload ?? null, message: 'OK' }
    case 'login':
      return { success: true, ...(payload as object), data: payload, message: 'OK' }
    case 'page': {
      const rows = Array.isArray(payload) ? payload : [payload]
      const meta = {
        current_page: 1,
        from: 1,
        to: rows.length,
        per_page: 25,
        last_page: 1,
        total: rows.length,
        next_cursor: null,
      }
      const only = `${url}?page=1&per_page=25`
      return {
        success: true,
        data: rows,
        message: 'OK',
        meta,
        links: { first: only, last: only, prev: null, next: null },
      }
    }
  }
}

const descriptions = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted; the work continues in the background',
  204: 'Success; the answer has no body',
  302: 'Go on to the address in `Location`',
} as const

/** The successful response of a route. `url` is its address with the parameters of the example. */
export function successResponse(route: Route, writer: SchemaWriter, name: string, url: string): ResponseObject {
  const carried = headers(['x-request-id', ...(isVersioned(route) || route.hasEtag ? ['etag'] : [])])
  if (route.status === 204) return { description: descriptions[204], headers: carried }
  if (route.status === 302) return redirectResponse
  const hasExample =
    route.example?.answer !== undefined || (route.shape === 'data' && route.answer.def.type === 'undefined')
  return {
    description: descriptions[route.status],
    headers: carried,
    content: {
      [mediaType(route)]: {
        schema: answerSchema(route, writer, name),
        ...(hasExample && { example: wrapExample(route, url) }),
      },
    },
  }
}

/** The response of a route that sends the browser on. */
export const redirectResponse: ResponseObject = {
  description: descriptions[302],
  headers: headers(['x-request-id', 'location']),
}

/** The 304 response of a route with an `ETag`. */
export const notModifiedResponse: ResponseObject = {
  description: 'Nothing has changed since the answer with the `ETag` in `If-None-Match`',
  headers: headers(['x-request-id']),
}

/** The 202 response of a route whose work may continue in the background. */
export const acceptedResponse = (accepted: z.ZodType, writer: SchemaWriter, name: string): ResponseObject => ({
  description:
    'Accepted; the work continues in the background. Read its progress with `GET /api/sys/jobs/{id}` and the `job_id`',
  headers: headers(['x-request-id']),
  content: { 'application/json': { schema: acceptedSchema(accepted, writer, name) } },
})

function acceptedSchema(accepted: z.ZodType, writer: SchemaWriter, name: string): JsonSchema {
  const payload = writer.writeNamed(accepted, `${name}Accepted`)
  return writer.share(envelope({ data: payload }), `${nameIn(payload) ?? name}Envelope`)
}

const mediaType = (route: Route): string => route.contentType?.split(';')[0] ?? 'application/json'

/** Whether the answer has the version of an object in `ETag`. */
const isVersioned = ({ shape, answer }: Route): boolean =>
  shape === 'data' && scalarMembers(answer).all.includes('version')
