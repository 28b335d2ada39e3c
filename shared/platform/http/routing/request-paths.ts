import { NotFound } from '../../../kernel/failures/faults.ts'
import type { HttpMethod } from './define-route.ts'
import type { HttpEvent } from './http-event.ts'
import { routeMatcher } from './match-route.ts'

/**
 * An address to be led to, as a header may carry it. `path`: decoded. Undefined for a path with control characters: there is
 * no such address, and a header that held them would be refused.
 */
export function locationOf(path: string, query = ''): string | undefined {
  if (/\p{Cc}/u.test(path)) return undefined
  const encoded = path.toWellFormed().split('/').map(encodeURIComponent).join('/')
  return query === '' ? encoded : `${encoded}?${query.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent)}`
}

/** That there is no such address. `why`: what is wrong with a parameter in the path. */
export const unknownAddress = ({ rawPath }: Pick<HttpEvent, 'rawPath'>, why?: string): NotFound =>
  new NotFound('endpoint', { path: rawPath }, `The address was not found.${why === undefined ? '' : ` ${why}`}`)

/** Paths that end in a secret: whoever has it may join, write into the tenant, read a record, or decide for somebody. */
export const secretPaths = [
  '/api/join/',
  '/api/in/',
  '/api/files/sent/',
  '/api/follow/',
  '/api/decide/',
  '/api/unsubscribe/',
  '/join/',
  '/password/reset/',
  '/email/verify/',
  '/follow/',
  '/decide/',
  '/unsubscribe/',
] as const

const unreadable = '***'
const maxLoggedLength = 300

/** A path as log lines name it: without secrets, control characters and the ends of very long ones. */
export function loggedPath(rawPath: string): string {
  const known = secretPaths.find((prefix) =>
    rawPath
      .replaceAll(/\/{2,}/g, '/')
      .toLowerCase()
      .startsWith(prefix),
  )
  if (known !== undefined) return known + unreadable
  return rawPath.slice(0, maxLoggedLength).replaceAll(/\p{Cc}/gu, '?')
}

/** The methods of paths that several functions serve: none of them knows the routes of the others. */
export const sharedPaths: Readonly<Record<`/${string}`, readonly HttpMethod[]>> = {
  '/api/e/{model}': ['GET', 'POST'],
}

const match = routeMatcher(
  Object.entries(sharedPaths).flatMap(([path, methods]) =>
    methods.map((method) => ({ path: path as `/${string}`, method })),
  ),
)

/** Every method of an address, for `Allow`. `own`: those that the function knows of. */
export function methodsOf(path: string, own: readonly string[]): readonly string[] {
  const shared = match('', path)
  const methods = shared && !shared.route ? shared.methods : own
  return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))].toSorted()
}
