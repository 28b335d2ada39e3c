import type { VersionMatch } from '../../kernel/failures/concurrent-change.ts'
import type { Warning } from '../../kernel/failures/warning.ts'
import type { Caller } from '../../kernel/principal.ts'
import { withWarnings } from '../http/routing/envelope.ts'
import { type Implementation, implement } from '../http/routing/implement.ts'
import type { ObjectRoutes } from '../http/routing/object-routes.ts'

/** What the five routes of an object do. `id`, `query`, `input`: as the schemas of its routes read them. */
export interface ObjectAdministration<Deps> {
  list(services: Deps, caller: Caller, query: never): Promise<unknown>
  create(services: Deps, caller: Caller, input: never): Promise<unknown>
  get(services: Deps, caller: Caller, id: never, query: never): Promise<unknown>
  change(services: Deps, caller: Caller, id: never, input: never, ifMatch?: VersionMatch): Promise<unknown>
  remove(services: Deps, caller: Caller, id: never, ifMatch?: VersionMatch): Promise<void>
  /** What one that was saved can hardly mean; left out where saving answers that itself. */
  warnings?(services: Deps, caller: Caller, answered: never): Promise<readonly Warning[]>
}

/** Binds the routes of an object to its administration. */
export function implementObject<Deps>(
  routes: ObjectRoutes,
  object: ObjectAdministration<Deps>,
  services: Deps,
): readonly Implementation[] {
  const idOf = (params: unknown) => (params as { readonly id: never }).id
  const warned = async (caller: Caller, answered: unknown) =>
    object.warnings ? withWarnings(answered, await object.warnings(services, caller, answered as never)) : answered
  return [
    implement(routes.list, ({ caller, query }) => object.list(services, caller, query as never)),
    implement(routes.create, async ({ caller, body }) =>
      warned(caller, await object.create(services, caller, body as never)),
    ),
    ...(routes.get
      ? [
          implement(routes.get, ({ caller, params, query }) =>
            object.get(services, caller, idOf(params), query as never),
          ),
        ]
      : []),
    implement(routes.change, async ({ caller, params, body, ifMatch }) =>
      warned(caller, await object.change(services, caller, idOf(params), body as never, ifMatch)),
    ),
    implement(routes.remove, ({ caller, params, ifMatch }) => object.remove(services, caller, idOf(params), ifMatch)),
  ]
}
