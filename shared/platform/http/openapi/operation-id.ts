import { own } from '../../../kernel/collections/own-members.ts'
import type { Route } from '../routing/define-route.ts'

/** Path segments that are called something else in operation ids. */
const words: Record<string, string> = { e: 'records' }
const silent = new Set(['', 'api', 'sys'])

/**
 * The operation id, from which generated clients take their method names: `GET /api/e/{model}` is `listRecords`, `POST
 * /api/e/{model}/import` is `importRecords`. A route whose method and path do not say what it does names it itself.
 */
export function operationIdOf(
  route: Pick<Route, 'method' | 'path' | 'shape' | 'status'> & { readonly operationId?: string },
): string {
  if (route.operationId !== undefined) return route.operationId
  const segments = route.path.split('/').filter((segment) => !silent.has(segment))
  const literals = segments.flatMap((segment, index) => {
    if (isParameter(segment)) return []
    const one = segments[index + 1] === '{id}'
    const word = own(words, segment) ?? segment
    return [pascal(one ? singular(word) : word)]
  })
  const last = literals.at(-1) ?? ''
  const ofOne = isParameter(segments.at(-1) ?? '')
  const isCollection = last.endsWith('s') && route.shape !== 'raw'
  const all = (verb: string): string => verb + literals.join('')
  const one = (verb: string): string =>
    verb + [...literals.slice(0, -1), ofOne || route.status === 201 ? singular(last) : last].join('')
  switch (route.method) {
    case 'GET':
      return route.shape === 'page' || (isCollection && !ofOne) ? all('list') : one('get')
    case 'POST': {
      if (isCollection) return one('create')
      const action = last + literals.slice(0, -1).join('')
      return action.charAt(0).toLowerCase() + action.slice(1)
    }
    case 'PUT':
      return one('update')
    case 'PATCH':
      return one('patch')
    case 'DELETE':
      return one('delete')
  }
}

const isParameter = (segment: string): boolean => segment.startsWith('{')
const pascal = (text: string): string =>
  text.replace(/(?:^|[-_.])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/([^s])s$/, '$1')
