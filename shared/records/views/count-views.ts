import { Invalid } from '../../kernel/failures/faults.ts'
import { permissionMissing } from '../../kernel/failures/permission-missing.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { Query } from '../../lists/query/grammar/parse-query.ts'
import type { Queries } from '../../lists/query/service.ts'
import { snoozedIds } from '../snoozes/snoozes.ts'
import { visibleViews } from './administer-views.ts'
import type { ViewCount } from './schema.ts'
import type { ViewDependencies } from './shared-views.ts'
import { mayRead, queryOf } from './view.ts'

/**
 * How many records each view of a table has for the caller, the newest view first. The columns of the table are brought
 * in step once for all of them.
 */
export async function countEachView(
  services: ViewDependencies & { readonly queries: Pick<Queries, 'parse' | 'counts'> },
  caller: Caller,
  model: string,
): Promise<ViewCount[]> {
  if (!mayRead(caller, model)) throw permissionMissing(model, 'read')
  const table = await services.tables.require(caller.tenant, model)
  const views = (await visibleViews(services, caller, model)).toReversed()
  const without = views.length > 0 ? await snoozedIds(services, caller, model) : []
  const parsed = await Promise.all(
    views.map(async (view): Promise<Query | Invalid> => {
      const { filter, search } = queryOf(view)
      try {
        return await services.queries.parse(caller, table, { filter, search, without }, { checksSlugs: true })
      } catch (error) {
        if (error instanceof Invalid) return error
        throw error
      }
    }),
  )
  const sound = parsed.flatMap((one) => (one instanceof Invalid ? [] : [one]))
  const counts = (await services.queries.counts(caller.tenant, table, sound)).values()
  return views.map(({ id, name }, index) => {
    const one = parsed[index]
    return one instanceof Invalid
      ? { id, name, count: null, problem: Object.values(one.errors).flat().join(' ') }
      : { id, name, count: counts.next().value ?? null, problem: null }
  })
}
