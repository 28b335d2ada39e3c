import { Invalid, Malformed } from '../../../../kernel/failures/faults.ts'
import { say } from '../../../../kernel/failures/sentence.ts'
import { maxBodyBytes, maxOpenBodyBytes } from '../../../../kernel/limits/requests.ts'
import type { Route } from '../define-route.ts'
import type { HttpEvent } from '../http-event.ts'
import { bodyBytes, readJsonBody } from '../json/json-body.ts'
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

/** Reads the body of a media type other than JSON into what a JSON body would hold. Throws Malformed or Invalid. */
export type ReadBody = (bytes: Buffer) => Promise<unknown>
export type BodyReaders = Readonly<Record<string, ReadBody>>

/**
 * The body of a request, parsed, with the flags of its query where the route has such. Throws Invalid for a member that the
 * route does not know.
 */
export async function bodyOf(
  route: Route,
  event: HttpEvent,
  query: NonNullable<HttpEvent['queryStringParameters']>,
  readers: BodyReaders = {},
): Promise<unknown> {
  const { method, body: schema, anyBody, eachRow, keysPerElement, maxElements, flags = [] } = route
  // The body of a GET means nothing, nor does that of a DELETE unless the route says so (RFC 9110, 9.3).
  if (anyBody || method === 'GET' || (method === 'DELETE' && !schema)) return undefined
  const reader = readerOf(route, event, readers)
  const read = reader
    ? await reader(bodyBytes(event.body, event.isBase64Encoded === true, largestBodyOf(route)))
    : readJsonBody(event.body, event.isBase64Encoded === true, {
        eachRow: eachRow === true,
        keysPerElement,
        maxElements,
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

/** Whatever is not named as another type is JSON. Throws Malformed for a character set that the service does not read. */
function readerOf({ alsoTakes = {} }: Route, { headers }: HttpEvent, readers: BodyReaders): ReadBody | undefined {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';')
  const named = type.trim()
  const reader = Object.hasOwn(alsoTakes, named) && Object.hasOwn(readers, named) ? readers[named] : undefined
  if (!reader) return undefined
  const charset = parameters.map((one) => /^\s*charset="?([^"]*)"?\s*$/.exec(one)?.[1]).find((one) => one !== undefined)
  if (charset !== undefined && !/^(?:utf-?8|us-ascii)$/.test(charset))
    throw new Malformed('malformed_json', `The request body must be UTF-8, not ${charset.slice(0, 40)}.`)
  return reader
}

function flagOf(name: string, text: string): boolean {
  if (text === 'true' || text === '1' || text === '') return true
  if (text === 'false' || text === '0') return false
  throw new Invalid({ [name]: [say('not_boolean', { field: name })] })
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
