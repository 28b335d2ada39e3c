import { queryOptions } from '@tanstack/react-query'
import { may } from './permissions.ts'
import { queryClient } from './query-client.ts'
import { type EntityRecord, recordQuery } from './records.ts'
import { type CurrentUser, sessionQuery } from './session.ts'
import { type Field, fieldsOf, type State, type Table, tableQuery, type Transition } from './tables.ts'

/** What a form needs for the caller and one record, or for a new one. */
export interface Form {
  readonly fields: readonly Field[]
  /** By field, the moves that are open now. */
  readonly moves: readonly Move[]
  /** What a new record begins with. */
  readonly defaults: Readonly<Record<string, unknown>>
}
export interface Move {
  readonly field: string
  readonly to: State
  readonly label: string | undefined
}

/** Types whose values only the service writes. */
const computedTypes: ReadonlySet<string> = new Set(['auto_number', 'computed', 'rollup'])

/**
 * The form of a record (`id`), or of a new one. It is derived from the table here, and from nowhere else: the day the
 * service answers `GET /api/e/{model}/form`, this function asks it, and no screen changes.
 */
export const formQuery = (model: string, id?: number, version?: number) =>
  queryOptions({
    queryKey: ['form', model, id ?? 'new', version ?? 0],
    queryFn: async (): Promise<Form> => {
      const [table, user, record] = await Promise.all([
        queryClient.ensureQueryData(tableQuery(model)),
        queryClient.ensureQueryData(sessionQuery),
        id === undefined ? undefined : queryClient.ensureQueryData(recordQuery(model, id)),
      ])
      return deriveForm(table, user, record)
    },
    placeholderData: (before) => before,
  })

/** The form as the document of the table says it. */
export function deriveForm(
  table: Table,
  user: Pick<CurrentUser, 'permissions' | 'roles'>,
  record?: EntityRecord,
): Form {
  const mayWrite = may(user, record ? 'update' : 'create', table.name)
  const all = fieldsOf(table)
  const fields = all.map((field) => ({
    ...field,
    readonly: field.readonly === true || !mayWrite || computedTypes.has(field.type),
  }))
  const moves = mayWrite && record ? all.flatMap((field) => movesOf(field, record.data[field.name], user.roles)) : []
  const defaults = Object.fromEntries(
    all.flatMap(({ name, default: value }) =>
      value === undefined || (typeof value === 'string' && value.startsWith('$')) ? [] : [[name, value]],
    ),
  )
  return { fields, moves, defaults }
}

function movesOf(field: Field, current: unknown, roles: readonly string[]): readonly Move[] {
  const isOpen = ({ from, to, roles: allowed }: Transition): boolean =>
    (from === current || from === '*') &&
    to !== current &&
    (!allowed?.length || roles.includes('admin') || allowed.some((role) => roles.includes(role)))
  return (field.transitions ?? []).filter(isOpen).flatMap(({ to, label }) => {
    const state = field.states?.find(({ slug }) => slug === to)
    return state ? [{ field: field.name, to: state, label }] : []
  })
}
