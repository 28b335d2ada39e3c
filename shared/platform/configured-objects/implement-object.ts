import type { Caller } from '../../kernel/principal.ts'
import type { PageQuery } from '../http/paging/page-query.ts'
import { type Implementation, implement } from '../http/routing/implement.ts'
import type { ObjectRoutes } from '../http/routing/object-routes.ts'

/** What the five routes of an object do. */
export interface ObjectAdministration<Deps> {
  list(deps: Deps, caller: Caller, query: PageQuery): Promise<unknown>
  create(deps: Deps, caller: Caller, input: never): Promise<unknown>
  get(deps: Deps, caller: Caller, id: number): Promise<unknown>
  change(deps: Deps, caller: Caller, id: number, input: never): Promise<unknown>
  remove(deps: Deps, caller: Caller, id: number): Promise<void>
}

/** Binds the routes of an object to its administration. */
export function implementObject<Deps>(
  routes: ObjectRoutes,
  object: ObjectAdministration<Deps>,
  deps: Deps,
): readonly Implementation[] {
  const idOf = (params: unknown): number => (params as { readonly id: number }).id
  return [
    implement(routes.list, ({ caller, query }) => object.list(deps, caller, query as PageQuery)),
    implement(routes.create, ({ caller, body }) => object.create(deps, caller, body as never)),
    implement(routes.get, ({ caller, params }) => object.get(deps, caller, idOf(params))),
    implement(routes.change, ({ caller, params, body }) => object.change(deps, caller, idOf(params), body as never)),
    implement(routes.remove, ({ caller, params }) => object.remove(deps, caller, idOf(params))),
  ]
}
