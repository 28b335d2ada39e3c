import type { Caller, Viewer } from '../../kernel/principal.ts'
import { maySeePath, pathsInFilter } from '../../lists/query/grammar/seen-paths.ts'
import type { RawQuery } from '../../lists/query/schema.ts'
import type { Table } from '../../tables/tables/table.ts'
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
    ...pathsInFilter(filter),
    ...(sort ?? []).map((name) => name.trim().replace(/^-/, '')),
    ...(group_by ?? []).map((name) => name.trim()),
  ].every((path) => maySeePath(viewer, table, path))
