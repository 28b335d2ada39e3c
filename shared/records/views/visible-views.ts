import { mayOnTable, permittedFields } from '../../kernel/permissions.ts'
import type { Caller, Viewer } from '../../kernel/principal.ts'
import type { RawQuery } from '../../lists/query/schema.ts'
import { standardFieldsByName } from '../../lists/query/service.ts'
import { referencedTable } from '../../tables/field-types/service.ts'
import type { Table } from '../../tables/tables/service.ts'
import { mayShare, type View } from './view.ts'

/** Whether a shared view is for a caller who may read its table. */
export const isFor = (
  caller: Pick<Caller, 'userId' | 'roles' | 'isAdministrator' | 'permissions'>,
  view: View,
): boolean =>
  view.roles === null ||
  view.owner === caller.userId ||
  mayShare(caller) ||
  view.roles.some((role) => caller.roles.includes(role))

/**
 * Whether a viewer may know of all that selects and orders the records of a view: one that names fields which field rules
 * hide from them is not there for them, since its filter tells of their values.
 */
export const maySeeQuery = (viewer: Viewer, table: Table, { filter, sort, group_by }: RawQuery): boolean =>
  [
    ...pathsIn(filter),
    ...(sort ?? []).map((name) => name.trim().replace(/^-/, '')),
    ...(group_by ?? []).map((name) => name.trim()),
  ].every((path) => maySeePath(viewer, table, path))

/** Whether field rules leave a path such as `client_id.name` to a viewer. Names that the table lacks hide nothing. */
export function maySeePath(viewer: Viewer, table: Table, path: string): boolean {
  const [name = '', step = ''] = (path.split(':')[0] as string).split('.')
  if (isHidden(viewer, table.name, name)) return false
  const field = table.fieldsByName.get(name)
  const target = step && field ? referencedTable(field) : undefined
  return target === undefined || (mayOnTable(viewer, target, 'read') && !isHidden(viewer, target, step))
}

const isHidden = (viewer: Viewer, table: string, name: string): boolean =>
  !standardFieldsByName.has(name) && permittedFields(viewer, table, 'read')?.has(name) === false

/** The fields that a filter names, whatever else is in it. */
function pathsIn(filter: unknown, before = ''): string[] {
  if (Array.isArray(filter)) return filter.flatMap((one) => pathsIn(one, before))
  if (typeof filter !== 'object' || filter === null) return []
  return Object.entries(filter).flatMap(([key, value]) => {
    if (key.startsWith('_')) return pathsIn(value, before)
    const path = before ? `${before}.${key}` : key
    return [path, ...pathsIn(value, path)]
  })
}
