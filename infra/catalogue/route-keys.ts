import type { HttpMethod } from '../../shared/platform/http/routing/define-route.ts'
import type { DeployedFunction } from './deployed-function.ts'

/** What API Gateway routes to a function: a path with one method or with `ANY`, or everything below a path. */
export interface RouteKey {
  readonly path: string
  readonly method: HttpMethod | 'ANY'
}

type Owned = RouteKey & { readonly name: string }

/**
 * The route keys of each function by its name. Each is a resource, of which a stack may have 500, so there are as few as
 * possible: the function with the most paths below an address gets everything below it that no other one serves, and
 * the one that reads a path gets every method of it that no other one serves. Functions find their routes themselves,
 * and refuse methods that a path does not have.
 */
export function routeKeysOf(functions: readonly DeployedFunction[]): ReadonlyMap<string, readonly RouteKey[]> {
  const routes: readonly Owned[] = functions.flatMap(({ name, trigger }) =>
    trigger.kind === 'routes' ? trigger.routes.map(({ path, method }) => ({ name, path, method })) : [],
  )
  const keys = [...Map.groupBy(routes, (route) => below(route, routes) ?? route.path)].flatMap(([path, ofPath]) =>
    keysOfPath(path, ofPath),
  )
  return Map.groupBy(keys, ({ name }) => name)
}

/** The greedy path that stands for the path of a route; undefined when there is none. */
function below({ name, path }: Owned, routes: readonly Owned[]): string | undefined {
  // A greedy path comes after every other one, so it cannot take a path that is routed by method.
  if (routes.some((one) => one.path === path && one.name !== name)) return undefined
  const start = /^\/api\/(sys\/)?[^/{]+/.exec(path)?.[0]
  if (start === undefined || start === path) return undefined
  const owners = Map.groupBy(
    routes.filter((one) => one.path.startsWith(`${start}/`)),
    (one) => one.name,
  )
  const pathsOf = (owner: string): number => new Set(owners.get(owner)?.map((one) => one.path)).size
  const [most] = [...owners.keys()].toSorted((a, b) => pathsOf(b) - pathsOf(a))
  return most === name && pathsOf(name) > 1 ? `${start}/{proxy+}` : undefined
}

function keysOfPath(path: string, ofPath: readonly Owned[]): readonly Owned[] {
  const owners = [...new Set(ofPath.map(({ name }) => name))]
  const reader = owners.length === 1 ? owners[0] : ofPath.find(({ method }) => method === 'GET')?.name
  const others = ofPath.filter(({ name }) => name !== reader)
  return reader === undefined ? others : [{ name: reader, path, method: 'ANY' }, ...others]
}
