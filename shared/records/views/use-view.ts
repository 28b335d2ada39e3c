import { type FieldErrors, Invalid } from '../../kernel/failures/faults.ts'
import type { Warning } from '../../kernel/failures/warning.ts'
import type { Caller } from '../../kernel/principal.ts'
import { isGridRequest } from '../../lists/query/ag-grid/grid-request.ts'
import type { QueryBody, RawQuery } from '../../lists/query/schema.ts'
import { snoozedIds } from '../snoozes/snoozes.ts'
import { findView } from './administer-views.ts'
import { errorsOfQuery } from './check-view.ts'
import type { ViewDependencies } from './shared-views.ts'
import { queryOf, type View } from './view.ts'

/** A query with what it takes from a view, and what of that was left out because the table no longer has it. */
export interface ViewedQuery<Q> {
  readonly query: Q
  readonly warnings: readonly Warning[]
}

/**
 * Fills in what a query leaves out by the view that it names; what the query names itself wins. Columns, sorts and groups
 * that the table no longer has are left out with a warning; a filter that no longer fits is refused, because without it
 * other records would be found. Records that the caller snoozed are left out. `asRecords`: the records are asked for, whatever groups the view has. Throws NotFound, and
 * Invalid for a view of another table.
 */
export async function withView<Q extends RawQuery & { readonly view?: number | null }>(
  services: ViewDependencies,
  caller: Caller,
  model: string,
  { view: id, ...given }: Q,
  { asRecords = false } = {},
): Promise<ViewedQuery<Omit<Q, 'view'>>> {
  if (!id) return { query: given, warnings: [] }
  const [{ query, warnings }, without] = await Promise.all([
    filledIn(services, caller, model, id, given as Omit<Q, 'view'>, asRecords),
    snoozedIds(services, caller, model),
  ])
  return { query: without.length > 0 ? { ...query, without } : query, warnings }
}

async function filledIn<Q extends RawQuery>(
  services: ViewDependencies,
  caller: Caller,
  model: string,
  id: number,
  given: Q,
  asRecords: boolean,
): Promise<ViewedQuery<Q>> {
  const view = await findView(services, caller, id)
  if (view.model !== model)
    throw new Invalid({ view: [`The view ${id} (${view.name}) is one of ${view.model}, not of ${model}.`] })
  const { group_by: groups, ...own } = queryOf(view)
  const isGrid = isGridRequest(given as QueryBody)
  const whole: RawQuery = { ...own, ...(groups && !asRecords && !isGrid && { group_by: groups }) }
  const left = Object.fromEntries(
    Object.entries(whole).filter(([name]) => (given as Record<string, unknown>)[name] === undefined),
  ) as RawQuery
  const { query: viewed, warnings } = await fitting(services, caller, view, left)
  if (!isGrid) return { query: { ...viewed, ...withoutUnset(given) }, warnings }
  const { sort, ...rest } = viewed
  const { sortModel, rowGroupCols } = given as QueryBody
  const sorts = !sortModel?.length && !rowGroupCols?.length && sort
  return {
    query: { ...rest, ...withoutUnset(given), ...(sorts && { sortModel: sorts.map(sortOfGrid) }) },
    warnings,
  }
}

const withoutUnset = <T extends object>(given: T): T =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T

const sortOfGrid = (name: string) => ({
  colId: name.replace(/^-/, ''),
  sort: name.startsWith('-') ? ('desc' as const) : ('asc' as const),
})

/** What of a view's query the table still has. */
async function fitting(
  services: ViewDependencies,
  caller: Caller,
  view: View,
  query: RawQuery,
): Promise<ViewedQuery<RawQuery>> {
  const table = await services.tables.require(caller.tenant, view.model)
  const errors = await errorsOfQuery(services, caller, table, query)
  if (Object.keys(errors).length === 0) return { query, warnings: [] }
  const broken = Object.entries(errors).filter(([path]) => /^(filter|search)\b/.test(path))
  if (broken.length > 0)
    throw new Invalid({
      view: [
        `The view ${view.id} (${view.name}) no longer fits its table: ${broken.flatMap(([, why]) => why).join(' ')}`,
      ],
    })
  const warnings: Warning[] = []
  const check = async (part: RawQuery): Promise<FieldErrors> => errorsOfQuery(services, caller, table, part)
  const keep = async (member: 'fields' | 'sort' | 'group_by', path: string): Promise<readonly string[]> => {
    const kept: string[] = []
    for (const name of query[member] ?? []) {
      const why = Object.values(await check({ [member]: [name] })).flat()
      if (why.length === 0) kept.push(name)
      else warnings.push({ path: `view.${path}`, code: 'dangling', message: why.join(' ') })
    }
    return kept
  }
  const [fields, sort, groups] = [
    await keep('fields', 'columns'),
    await keep('sort', 'sort'),
    await keep('group_by', 'group_by'),
  ]
  return {
    query: {
      ...query,
      ...(query.fields && { fields: fields.length > 0 ? fields : undefined }),
      ...(query.sort && { sort: sort.length > 0 ? sort : undefined }),
      ...(query.group_by && { group_by: groups.length > 0 ? groups : undefined }),
    },
    warnings,
  }
}
