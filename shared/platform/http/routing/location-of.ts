import { NotFound } from '../../../kernel/failures/faults.ts'
import type { HttpEvent } from './http-event.ts'

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
