import type { Clock } from '../../../../shared/kernel/time/clock.ts'
import { createConditions } from '../../../../shared/lists/query/conditions/open-conditions.ts'
import type { Store } from '../../../../shared/platform/store/store.ts'
import type { Actor } from '../../../../shared/records/records/actor.ts'
import type { RecordDependencies } from '../../../../shared/records/records/dependencies.ts'
import { noHooks } from '../../../../shared/records/records/hooks/hooked-operation.ts'
import { referencedTable, typeOfField } from '../../../../shared/tables/field-types/read-field.ts'
import { createFiles } from '../../../../shared/tables/files/service.ts'
import { createOrgTree } from '../../../../shared/tables/org-units/org-tree.ts'
import type { Table } from '../../../../shared/tables/tables/table.ts'
import { tenant } from '../lists/query-records.ts'

/** An administrator of the tenant of `query-records.ts`. */
export const administrator: Actor = {
  tenant,
  userId: 3,
  roles: [],
  isAdministrator: true,
  permissions: [],
  grants: [],
  orgUnitIds: [],
}

/** What record writes need, with these tables and neither hooks, links, comments, row rules nor references. */
export const recordDependencies = (
  store: Store,
  clock: Clock,
  tables: readonly Table[],
  more: Partial<RecordDependencies> = {},
): RecordDependencies => ({
  store,
  clock,
  tables: {
    find: async (_tenant: object, name: string) => tables.find((table) => table.name === name),
    require: async (_tenant: object, name: string) => tables.find((table) => table.name === name)!,
    referringFields: async (_tenant: object, name: string) =>
      tables.flatMap((table) =>
        table.table_fields.filter((field) => referencedTable(field) === name).map((field) => ({ table, field })),
      ),
    referrers: async (_tenant: object, name: string) =>
      tables.flatMap((table) =>
        table.table_fields
          .filter((field) => referencedTable(field) === name)
          .map((field) => ({ table, field, onDelete: typeOfField(field).onDelete?.(field) })),
      ),
  } as unknown as RecordDependencies['tables'],
  conditions: createConditions({ clock, orgTree: createOrgTree({ store, clock }) }),
  discussions: { remove: async () => true, count: async () => ({ comments: 0, internalComments: 0, watchers: 0 }) },
  orgTree: createOrgTree({ store, clock }),
  files: createFiles({ store, clock } as never),
  links: { linksOfRecord: async () => [], retainLinks: async () => true } as never,
  processesOf: async () => [],
  access: { isLimited: () => false, require: async () => {} } as never,
  hooks: { begin: async () => noHooks, runPending: async () => false },
  startProcess: async () => 1,
  sendProcessMessage: async () => 1,
  referencesTo: async () => [],
  ...more,
})
