import { unrestricted } from '../../../kernel/principal.ts'
import { checkView, namesNow } from '../../../records/views/check-view.ts'
import type { ViewDocument, ViewInput } from '../../../records/views/schema.ts'
import { sharedViews, type ViewDependencies } from '../../../records/views/shared-views.ts'
import type { View } from '../../../records/views/view.ts'
import { objectSection } from './object-section.ts'
import type { Section } from './section.ts'
import { namesAdded, tablesToBe } from './tables-to-be.ts'

/** The shared views of a configuration, by table and name. Private ones are their owners'. */
export function viewSection(services: ViewDependencies): Section<ViewDocument> {
  return objectSection<View, ViewDocument, ViewInput, ViewDependencies>(sharedViews, services, {
    inputOf,
    documentsOf: (_, all) =>
      all.map((one) => ({
        name: sharedViews.nameOf(one),
        roles: one.roles && [...one.roles],
        columns: [...one.columns],
        filter: one.filter,
        search: one.search,
        sort: one.sort && [...one.sort],
        group_by: one.groupBy && [...one.groupBy],
        is_default: one.isDefault,
      })),
    complete: ({ name, roles, columns, filter, search, sort, group_by, is_default }, before) => ({
      name,
      roles: roles?.length ? roles : null,
      columns: columns ?? [],
      filter: filter ?? null,
      search: search ?? null,
      sort: sort?.length ? sort : null,
      group_by: group_by?.length ? group_by : null,
      is_default: is_default ?? before?.is_default ?? false,
    }),
    openCheck(author, _existing, whole) {
      const { tenant } = author
      const { find, names: tables } = tablesToBe(services.tables, tenant, whole)
      const now = namesNow(services, tenant)
      const added = namesAdded(whole)
      const names = {
        filters: { ...services, tables: { find: (_: unknown, name: string) => find(name) } },
        tables,
        roles: async () => [...(await now.roles()), ...added.roles],
      }
      return Promise.resolve((document) => {
        const { model, name, scope, roles, columns, filter, search, sort, group_by, is_default } = inputOf(document)
        return checkView(
          names,
          { ...unrestricted, ...author },
          {
            model,
            name,
            scope: scope ?? 'shared',
            roles: roles ?? null,
            columns: columns ?? [],
            filter: filter ?? null,
            search: search ?? null,
            sort: sort ?? null,
            groupBy: group_by ?? null,
            isDefault: is_default ?? false,
            owner: author.userId,
          },
        )
      })
    },
  })
}

/** The document as the administration takes it: table and name apart. */
function inputOf({ name, ...members }: ViewDocument): ViewInput {
  const dot = name.indexOf('.')
  return { ...members, model: name.slice(0, dot), name: name.slice(dot + 1).trim(), scope: 'shared' }
}
