import { mayOnTable } from '../../kernel/permissions.ts'
import type { Viewer } from '../../kernel/principal.ts'
import type { RawQuery } from '../../lists/query/schema.ts'
import { membersOf } from '../../platform/configured-objects/members.ts'
import type { RowTimes } from '../../platform/store/config.ts'
import type { ViewAnswer } from './schema.ts'

/** A saved query of a table, as one person keeps it or many share it. */
export interface View extends RowTimes {
  readonly id: number
  readonly model: string
  readonly name: string
  readonly scope: 'private' | 'shared'
  readonly roles: readonly string[] | null
  /** Empty: all. */
  readonly columns: readonly string[]
  readonly filter: Readonly<Record<string, unknown>> | null
  readonly search: string | null
  readonly sort: readonly string[] | null
  readonly groupBy: readonly string[] | null
  readonly isDefault: boolean
  /** The user who made it. */
  readonly owner: number
  readonly version: number
  /** Of a private view: the versions of the tables whose fields it may name, when it was saved. */
  readonly checkedWith?: Readonly<Record<string, number>>
}

/** What people set of a view, and who made it. */
export type ViewMembers = Omit<ViewAnswer, 'id' | 'created_at' | 'updated_at' | 'version' | 'problem'>

export const viewMembers = {
  model: {},
  name: {},
  scope: { unset: 'private' },
  roles: { unset: null },
  columns: { unset: [] },
  filter: { unset: null },
  search: { unset: null },
  sort: { unset: null },
  group_by: { stored: 'groupBy', unset: null },
  is_default: { stored: 'isDefault', unset: false },
  owner: { unset: 0 },
} as const

export const { draftOf, merge, documentOf } = membersOf<View, ViewMembers>(viewMembers)

/** A view in its normal form: what is empty is none. */
export const normalView = <T extends Omit<View, 'id' | 'version'>>(view: T): T => ({
  ...view,
  columns: view.columns ?? [],
  roles: view.roles?.length ? [...new Set(view.roles)] : null,
  filter: view.filter && Object.keys(view.filter).length > 0 ? view.filter : null,
  search: view.search?.trim() || null,
  sort: view.sort?.length ? view.sort : null,
  groupBy: view.groupBy?.length ? view.groupBy : null,
})

/** The query of a view. */
export const queryOf = ({ columns, filter, search, sort, groupBy }: Omit<View, 'id' | 'version'>): RawQuery => ({
  ...(columns.length > 0 && { fields: columns }),
  ...(filter && { filter }),
  ...(search && { search }),
  ...(sort && { sort }),
  ...(groupBy && { group_by: groupBy }),
})

/** What gives the permission to share views. */
const sharing: ReadonlySet<string> = new Set(['views.share', 'views.*', '*'])

export const mayShare = ({ isAdministrator, permissions }: Pick<Viewer, 'isAdministrator' | 'permissions'>): boolean =>
  isAdministrator || permissions.some((one) => sharing.has(one))

export const mayRead = (viewer: Viewer, model: string): boolean => mayOnTable(viewer, model, 'read')
