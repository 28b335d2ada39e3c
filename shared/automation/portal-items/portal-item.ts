import type { Caller } from '../../kernel/principal.ts'
import { pathsInFilter } from '../../lists/query/grammar/seen-paths.ts'
import type { RowTimes } from '../../platform/store/config.ts'
import { typeOfField } from '../../tables/field-types/read-field.ts'
import type { Field } from '../../tables/tables/schema.ts'
import type { Table } from '../../tables/tables/table.ts'

/** What people may ask for in the portal: a form over some fields of a table. */
export interface PortalItem extends RowTimes {
  readonly id: number
  readonly name: string
  readonly description: string | null
  readonly category: string | null
  readonly icon: string | null
  readonly model: string
  readonly fields: readonly string[]
  readonly defaults: Readonly<Record<string, unknown>> | null
  readonly roles: readonly string[] | null
  readonly is_active: boolean
  readonly position: number
  readonly state_field: string | null
  readonly public_states: Readonly<Record<string, string>> | null
  readonly public_fields: readonly string[] | null
  readonly reopen_state: string | null
  readonly version: number
}

type Fields = Pick<Table, 'table_fields' | 'fieldsByName'>
type Shown = Pick<PortalItem, 'fields' | 'public_fields' | 'state_field'>

/** The value that stands for whoever sends a request. */
export const currentUser = '$CURRENT_USER'

/** Whether somebody may send a request of an item, and therefore see it. */
export const mayRequest = (
  { isAdministrator, roles }: Pick<Caller, 'isAdministrator' | 'roles'>,
  item: Pick<PortalItem, 'roles'>,
): boolean => isAdministrator || !item.roles?.length || item.roles.some((role) => roles.includes(role))

/** Whether people can fill in a field: the service does not make its value. */
export const isWritable = (field: Field): boolean => {
  const { isDerived, generate } = typeOfField(field)
  return !isDerived && !generate
}

/** The fields of states that a table has. */
export const stateFields = ({ table_fields }: Pick<Table, 'table_fields'>): readonly Field[] =>
  table_fields.filter((field) => typeOfField(field).lifecycle)

/** The field whose state requesters see: the one that the item names, or the only one of the table. */
export function stateField(table: Fields, { state_field }: Pick<PortalItem, 'state_field'>): Field | undefined {
  const fields = stateFields(table)
  return state_field === null
    ? fields.length === 1
      ? fields[0]
      : undefined
    : fields.find((one) => one.name === state_field)
}

/** The fields of a record that requesters see, in the order of the item, as far as the table still has them. */
export const shownFields = ({ fieldsByName }: Fields, { fields, public_fields }: Shown): readonly Field[] =>
  (public_fields ?? fields).flatMap((name) => fieldsByName.get(name) ?? [])

/** Whether a condition names these fields alone. */
export const conditionIsAbout = (fields: ReadonlySet<string>, condition: unknown): boolean =>
  pathsInFilter(condition).every((path) => fields.has(path.split('.')[0] as string))

/** The values that the service sets in a request of a person. */
export const defaultsFor = (
  { fieldsByName }: Fields,
  { defaults }: Pick<PortalItem, 'defaults'>,
  userId: number,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(defaults ?? {}).map(([name, value]) => {
      const field = fieldsByName.get(name)
      return [name, value === currentUser && field && typeOfField(field).refersToPeople ? userId : value]
    }),
  )
