import type { HttpMethod } from '../shared/http/routing/define-route.ts'
import type { DeployedFunction } from './deployed-function.ts'

/** What API Gateway routes to a function: a path with one method, or with `ANY` when no other function serves it. */
export interface RouteKey {
  readonly path: string
  readonly method: HttpMethod | 'ANY'
}

type Owned = RouteKey & { readonly name: string }

/**
 * The route keys of each function by its name. Several methods of a path are one route where a single function serves
 * them: each route is a resource, of which a stack may have 500.
 */
export function routeKeysOf(functions: readonly DeployedFunction[]): ReadonlyMap<string, readonly RouteKey[]> {
  const routes = functions.flatMap(({ name, trigger }) =>
    trigger.kind === 'routes' ? trigger.routes.map(({ path, method }) => ({ name, path, method })) : [],
  )
  const keys: readonly Owned[] = [...Map.groupBy(routes, ({ path }) => path).values()].flatMap(
    (ofPath): readonly Owned[] => {
      const [first] = ofPath as [(typeof ofPath)[number]]
      const isShared = ofPath.length === 1 || ofPath.some(({ name }) => name !== first.name)
      return isShared ? ofPath : [{ ...first, method: 'ANY' }]
    },
  )
  return Map.groupBy(keys, ({ name }) => name)
}
