import { byName } from '../../../kernel/collections/own-members.ts'
import type { Route } from './define-route.ts'

/** What an address is: a route with the values of its parameters, or one that knows other methods only. */
export type RouteMatch<R> =
  | { readonly route: R; readonly params: Readonly<Record<string, string>> }
  | { readonly route?: never; readonly methods: readonly string[] }

interface Pattern<R> {
  readonly route: R
  readonly method: string
  readonly segments: readonly string[]
}

const segmentsOf = (path: string): string[] => path.replace(/\/+$/, '').split('/')
const nameOf = (segment: string): string | undefined => /^\{(.+)\}$/.exec(segment)?.[1]

/**
 * Finds routes by method and path, for functions that are reached past a route of their own. `path`: decoded. HEAD is
 * GET, and a slash at the end says nothing. Where a literal fits, paths with a parameter in its place do not count.
 */
export function routeMatcher<R extends Pick<Route, 'method' | 'path'>>(
  routes: readonly R[],
): (method: string, path: string) => RouteMatch<R> | undefined {
  const patterns: readonly Pattern<R>[] = routes
    .map((route) => ({ route, method: route.method, segments: segmentsOf(route.path) }))
    .toSorted((a, b) => literalsFirst(a.segments).localeCompare(literalsFirst(b.segments)))

  return (method, path) => {
    const given = segmentsOf(path)
    const all = patterns.filter(({ segments }) => fits(segments, given))
    const fitting = all.filter(({ segments }) => literalsFirst(segments) === literalsFirst(all[0]?.segments ?? []))
    const wanted = method === 'HEAD' ? 'GET' : method
    const found = fitting.find((one) => one.method === wanted)
    if (found) return { route: found.route, params: paramsOf(found.segments, given) }
    return fitting.length === 0 ? undefined : { methods: [...new Set(fitting.map((one) => one.method))] }
  }
}

/** Sorts the more specific pattern first. */
const literalsFirst = (segments: readonly string[]): string =>
  segments.map((segment) => (nameOf(segment) === undefined ? '0' : '1')).join('')

const fits = (segments: readonly string[], given: readonly string[]): boolean =>
  segments.length === given.length &&
  segments.every((segment, at) => (nameOf(segment) === undefined ? segment === given[at] : given[at] !== ''))

function paramsOf(segments: readonly string[], given: readonly string[]): Record<string, string> {
  const params: Record<string, string> = byName()
  for (const [at, segment] of segments.entries()) {
    const name = nameOf(segment)
    if (name !== undefined) params[name] = given[at] as string
  }
  return params
}
