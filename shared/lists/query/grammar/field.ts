import {
  conversationColumns,
  readConversation,
  stateOfConversation,
} from '../../../platform/store/rows/conversation-state.ts'
import type { ValueKind } from '../../../tables/field-types/declaration.ts'
import { objectText, referencedTable, typeOfField } from '../../../tables/field-types/read-field.ts'
import type { Field } from '../../../tables/tables/schema.ts'
import type { Scalar } from '../../columns/scalar.ts'
import type { QueryField } from './expression.ts'

/** The target of references to users. They are not a table; queries may use their `id` and `name`. */
export const peopleTarget = 'users'

const standard = (name: string, kind: ValueKind, more: Partial<QueryField> = {}): QueryField => ({
  path: name,
  name,
  kind,
  isStandard: true,
  readValue: ({ item }) => item[name] as Scalar | undefined,
  ...more,
})

export const idField: QueryField = standard('id', 'number', { readValue: ({ id }) => id })

/** The standard fields, which every record has. */
export const standardFieldsByName: ReadonlyMap<string, QueryField> = new Map(
  [
    idField,
    standard('tenant_id', 'number'),
    standard('created_by', 'number', { refersTo: peopleTarget }),
    standard('updated_by', 'number', { refersTo: peopleTarget }),
    standard('created_at', 'datetime'),
    standard('updated_at', 'datetime'),
    standard('version', 'number'),
  ].map((field) => [field.name, field]),
)

/** What can be asked of the conversation of a record, by path. */
export const conversationFields: ReadonlyMap<string, QueryField> = new Map(
  Object.entries(conversationColumns).map(([path, member]) => [
    path,
    standard(path, member === 'last_at' ? 'datetime' : 'text', {
      readValue: ({ item }) => stateOfConversation(readConversation(item))?.[member] ?? undefined,
    }),
  ]),
)

/** A field of a table's configuration as a query field. */
export function customField(field: Field): QueryField {
  const { name } = field
  const { kind, refersToPeople, objects } = typeOfField(field)
  const refersTo = refersToPeople ? peopleTarget : referencedTable(field)
  return {
    path: name,
    name,
    kind,
    isStandard: false,
    definition: field,
    ...(refersTo !== undefined && { refersTo }),
    readValue: objects ? ({ data }) => textOfObject(data[name]) : ({ data }) => storedValue(data[name]),
  }
}

const textOfObject = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null ? objectText(value) : undefined

/** A field of a referenced record, as a query field of the referring table. */
export function throughReference(via: QueryField, field: QueryField): QueryField {
  return {
    ...field,
    path: `${via.path}.${field.path}`,
    via,
    target: field,
    readValue: (row) => {
      const target = row.related?.get(relatedName(via))
      return target && field.readValue(target)
    },
  }
}

/** The key of a reference in `row.related`, which differs when the viewer sees only some of the referenced records. */
export const relatedName = ({ name, visible }: QueryField): string => (visible ? `${name} as seen` : name)

/** The name of a user, the only field of users in queries besides the id. */
export const personName: QueryField = standard('name', 'text', {
  readValue: ({ data }) => data.name as string | undefined,
})

const storedValue = (value: unknown): Scalar | readonly Scalar[] | undefined =>
  value === null ? undefined : (value as Scalar | undefined)
