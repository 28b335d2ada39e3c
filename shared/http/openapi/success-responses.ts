import type { Route } from '../routing/define-route.ts'
import { schemaAt, type JsonSchema, type ResponseObject } from './document-types.ts'
import { headers, isOneRecord } from './failure-responses.ts'

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

/** The members that the envelope adds to a page (contract §1, Pagination). */
export const pageSchemas: Record<string, JsonSchema> = {
  PageMeta: {
    type: 'object',
    required: ['current_page', 'from', 'to', 'per_page', 'last_page', 'total', 'next_cursor'],
    properties: {
      current_page: counted('Number of this page; null while walking by cursor.', true),
      from: counted('Place of the first row in the whole list, from 1; null on an empty page.', true),
      to: counted('Place of the last row in the whole list; null on an empty page.', true),
      per_page: counted('Rows per page that the service really used.'),
      last_page: counted('Number of the last page; 1 when there are no rows.'),
      total: counted('Rows in the whole list.'),
      next_cursor: { type: ['string', 'null'], description: 'Send it as `cursor` to read on; null at the end.' },
    },
  },
  PageLinks: {
    type: 'object',
    required: ['first', 'last', 'prev', 'next'],
    properties: {
      first: address('The first page.'),
      last: address('The last page.'),
      prev: address('The page before.', true),
      next: address('The page after.', true),
    },
  },
}

/** The payload of a route inside the envelope that its shape asks for. */
export function wrapSchema(route: Route, payload: JsonSchema): JsonSchema {
  switch (route.shape) {
    case 'raw':
      return payload
    case 'data':
      return envelope({ data: route.answer.def.type === 'undefined' ? { type: 'null' } : payload })
    case 'page':
      return envelope({
        data: { type: 'array', items: payload },
        meta: schemaAt('PageMeta'),
        links: schemaAt('PageLinks'),
      })
    case 'login':
      return {
        description: 'The login result stands at the top level and once more in `data`.',
        allOf: [payload, envelope({ data: payload })],
      }
  }
}

const envelope = (members: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  required: ['success', ...Object.keys(members), 'message'],
  properties: { success, ...members, message },
})

/** The example of a route as it really travels. */
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

const descriptions = { 200: 'Success', 201: 'Created', 204: 'Done; the answer has no body' } as const

/** The answer of a route that went well; `url` is its address with the example's parameters filled in. */
export function successResponse(route: Route, payload: JsonSchema, url: string): ResponseObject {
  const carried = headers(['x-request-id', ...(isVersioned(route) ? ['etag'] : [])])
  if (route.status === 204) return { description: descriptions[204], headers: carried }
  const hasExample =
    route.example?.answer !== undefined || (route.shape === 'data' && route.answer.def.type === 'undefined')
  return {
    description: descriptions[route.status],
    headers: carried,
    content: {
      [mediaType(route)]: {
        schema: wrapSchema(route, payload),
        ...(hasExample && { example: wrapExample(route, url) }),
      },
    },
  }
}

/** The answer of a route whose work goes on in the background. */
export const acceptedResponse = (payload: JsonSchema): ResponseObject => ({
  description: 'Goes on in the background: `GET /api/sys/jobs/{id}` with the `job_id`',
  headers: headers(['x-request-id']),
  content: { 'application/json': { schema: envelope({ data: payload }) } },
})

const mediaType = (route: Route): string => route.contentType?.split(';')[0] ?? 'application/json'

/** Reads and writes of one record say its version. */
const isVersioned = (route: Route): boolean =>
  route.status !== 204 &&
  (isOneRecord(route) ||
    (route.permission?.kind === 'table' &&
      route.permission.action === 'create' &&
      route.shape === 'data' &&
      route.path.endsWith('}')))
