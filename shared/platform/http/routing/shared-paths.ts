import type { HttpMethod } from './define-route.ts'
import { routeMatcher } from './match-route.ts'

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
