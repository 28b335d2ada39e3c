import { roleOf } from '../../accounts/roles/role.ts'
import { byName } from '../../kernel/collections/own-members.ts'
import { type FieldErrors, Invalid } from '../../kernel/failures/faults.ts'
import { maxViewFilterBytes } from '../../kernel/limits/lists.ts'
import type { Viewer } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { didYouMean } from '../../kernel/text/did-you-mean.ts'
import { parseFor } from '../../lists/query/parse-for.ts'
import type { FilterDependencies } from '../../lists/query/row-filter.ts'
import type { Config } from '../../platform/store/config.ts'
import type { Tables } from '../../tables/tables/read-tables.ts'
import { queryOf, type View } from './view.ts'

/** What a view may name. A configuration document adds what will exist once it is applied. */
export interface ViewNames {
  readonly filters: FilterDependencies
  readonly tables: () => Promise<readonly string[]>
  readonly roles: () => Promise<readonly string[]>
}

export interface CheckDependencies extends Omit<FilterDependencies, 'tables'> {
  readonly config: Pick<Config, 'get' | 'list'>
  readonly tables: Pick<Tables, 'find' | 'all' | 'require'>
}

/** What there is now. */
export const namesNow = (services: CheckDependencies, tenant: Tenant): ViewNames => ({
  filters: services,
  tables: async () => (await services.tables.all(tenant)).map(({ name }) => name),
  roles: async () => (await services.config.list(tenant, 'ROLE', roleOf)).map(({ name }) => name),
})

/** Members of queries under their names in views. */
const called: ReadonlyMap<string, string> = new Map([['fields', 'columns']])

/** The errors of a view by path, as far as a viewer may read its table. */
export async function checkView(
  names: ViewNames,
  viewer: Viewer,
  view: Omit<View, 'id' | 'version'>,
): Promise<FieldErrors> {
  const table = await names.filters.tables.find(viewer.tenant, view.model)
  if (!table) return { model: [`There is no table ${view.model}.${didYouMean(view.model, await names.tables())}`] }
  if (view.filter && Buffer.byteLength(JSON.stringify(view.filter)) > maxViewFilterBytes)
    return { filter: [`The filter may not be larger than ${maxViewFilterBytes / 1024} KB.`] }
  const errors: FieldErrors = byName()
  if (view.scope === 'private' && view.roles)
    errors.roles = ['Only a shared view is for roles: set scope to shared, or leave roles out.']
  const known = view.roles ? await names.roles() : []
  for (const [index, role] of (view.roles ?? []).entries())
    if (!known.includes(role)) errors[`roles.${index}`] = [`There is no role ${role}.${didYouMean(role, known)}`]
  return { ...errors, ...(await errorsOfQuery(names.filters, viewer, table, queryOf(view))) }
}

/** The errors of a query, by the path that its members have in a view. */
export async function errorsOfQuery(
  ...[services, viewer, table, raw]: Parameters<typeof parseFor>
): Promise<FieldErrors> {
  try {
    await parseFor(services, viewer, table, raw, { checksSlugs: true })
    return {}
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    return Object.fromEntries(
      Object.entries(error.problems).map(([path, messages]) => {
        const [member = '', ...rest] = path.split('.')
        return [[called.get(member) ?? member, ...rest].join('.'), messages]
      }),
    )
  }
}
