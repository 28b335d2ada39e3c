import { Invalid } from '../../../../kernel/failures/faults.ts'
import { maxBodyBytes, maxOpenBodyBytes } from '../../../../kernel/limits/requests.ts'
import type { Route } from '../define-route.ts'
import type { HttpEvent } from '../http-event.ts'
import { readJsonBody } from '../json/json-body.ts'
import { refuseUnknownMembers, refuseUnknownParameters } from './known-names.ts'
import { parseInput } from './parse-input.ts'

/** The query of a request, parsed. Throws Invalid for a parameter that the route does not know. */
export function queryOf(route: Route, given: NonNullable<HttpEvent['queryStringParameters']>): unknown {
  if (route.anyBody) return {}
  const { flags = [], query } = route
  const own = Object.fromEntries(Object.entries(given).filter(([name]) => !flags.includes(name)))
  refuseUnknownParameters(query, own)
  return query ? parseInput(query, own, 'query') : {}
}

/** The largest body that a route takes. Who has no token is not listened to for long. */
export const largestBodyOf = ({ open, maxBytes = open ? maxOpenBodyBytes : maxBodyBytes }: Route): number => maxBytes

/**
 * The body of a request, parsed, with the flags of its query where the route has such. Throws Invalid for a member that the
 * route does not know.
 */
export function bodyOf(
  route: Route,
  event: HttpEvent,
  query: NonNullable<HttpEvent['queryStringParameters']>,
): unknown {
  const { method, body: schema, anyBody, eachRow, keysPerElement, mostElements, flags = [] } = route
  // The body of a GET means nothing, nor does that of a DELETE unless the route says so (RFC 9110, 9.3).
  if (anyBody || method === 'GET' || (method === 'DELETE' && !schema)) return undefined
  const read = readJsonBody(event.body, event.isBase64Encoded === true, {
    eachRow: eachRow === true,
    keysPerElement,
    mostElements,
    maxBytes: largestBodyOf(route),
  })
  const asked = Object.fromEntries(
    flags.flatMap((name) => (query[name] === undefined ? [] : [[name, flagOf(name, query[name])]])),
  )
  const body =
    Object.keys(asked).length > 0 && isObject(read ?? {}) ? { ...(read as object | undefined), ...asked } : read
  refuseUnknownMembers(schema, body)
  return schema && parseInput(schema, body)
}

function flagOf(name: string, text: string): boolean {
  if (text === 'true' || text === '1' || text === '') return true
  if (text === 'false' || text === '0') return false
  throw new Invalid({ [name]: [`The ${name} must be true or false.`] })
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
