import type { CheckedValue, Choice, Condition, AnyFieldType } from './declaration.ts'
import { registry } from './registry.ts'
import { type Field, type FieldType, fieldTypes } from './schema.ts'

/** What a field's type declares. Code that handles many values reads it once per field. */
export function typeOfField(field: { readonly type: FieldType }): AnyFieldType {
  const declared: AnyFieldType = registry[field.type]
  return declared.variantOf?.(field as Field) ?? declared
}

/**
 * Checks one non-null value against its field and converts it to its stored form. Does not check that references exist.
 * `held`: a value that the record may keep although it is offered no longer.
 */
export const checkValue = (field: Field, value: unknown, held?: unknown): CheckedValue =>
  typeOfField(field).check(field, value, held)

/** The table that a field refers to; undefined for fields that refer to no record. */
export const referencedTable = (field: Field): string | undefined => typeOfField(field).refersToTable?.(field)

/** The values that a field offers; undefined for fields that are no choice. */
export const choicesOf = (field: Field): readonly Choice[] | undefined => typeOfField(field).choices?.of(field)

/** Whether a state of a field is one in which a record is done. */
export function isFinalState(field: { readonly type: FieldType }, slug: unknown): boolean {
  const { states = [] } = field as {
    readonly states?: readonly { readonly slug: string; readonly is_final?: boolean }[]
  }
  return states.some((state) => state.slug === slug && state.is_final === true)
}

/** Whether a record is done: one of its fields is in a final state. */
export const isClosedRecord = (
  { table_fields }: { readonly table_fields: readonly Field[] },
  data: Readonly<Record<string, unknown>>,
): boolean => table_fields.some((field) => isFinalState(field, data[field.name]))

/** The roles that the moves of a field name. `at`: their path within the field. */
export const rolesIn = (field: Field): readonly { readonly role: string; readonly at: string }[] =>
  typeOfField(field).lifecycle?.roles(field) ?? []

/** The conditions of a field by their path within it. */
export const conditionsOf = (field: Field): readonly { readonly condition: Condition; readonly at: string }[] => [
  ...(['required_if', 'readonly_if', 'visible_if'] as const).flatMap((at) => {
    const condition = field[at]
    return condition ? [{ condition, at }] : []
  }),
  ...(typeOfField(field).lifecycle?.moves(field) ?? []).flatMap(({ condition }, index) =>
    condition ? [{ condition, at: `transitions.${index}.condition` }] : [],
  ),
]

/**
 * Whether the default of a field is a variable of lists, or meant as one: `$CURRENT_USER` for people, `$TODAY` and
 * `$NOW(+2 days)` for dates and datetimes.
 */
export const mayBeVariable = (field: Field): boolean => {
  const { kind, refersToPeople } = typeOfField(field)
  return (
    typeof field.default === 'string' &&
    field.default.startsWith('$') &&
    (refersToPeople === true || kind === 'date' || kind === 'datetime')
  )
}

/** Whether two values of a field that differ only in case are the same to its guards. */
export const foldsCase = (field: {
  readonly type: FieldType
  readonly unique?: boolean
  readonly case_insensitive?: unknown
}): boolean => field.unique === true && (field.case_insensitive === true || typeOfField(field).ignoresCase === true)

/** Why a setting does not belong to a field's type; undefined when it does. */
export function foreignSetting({ type }: Field, setting: string): string | undefined {
  const takers = fieldTypes.filter((one) => Object.hasOwn(registry[one].properties, setting))
  return takers.length === 0 || takers.includes(type)
    ? undefined
    : `The ${setting} setting belongs to fields of type ${takers.length > 1 ? `${takers.slice(0, -1).join(', ')} and ` : ''}${takers.at(-1)}.`
}

const objectTypes = fieldTypes.flatMap((type) => (registry[type] as AnyFieldType).objects ?? [])

/** Whether an object is a value of some type, and no group of other values. */
export const isObjectValue = (value: object): boolean => objectTypes.some(({ has }) => has(value))

/** The text that stands for a stored object in columns: equal values have equal texts. Undefined for what no type stores. */
export const objectText = (value: object): string | undefined =>
  objectTypes.find(({ has }) => has(value))?.columnText(value)

/** The schemas that the values of several types refer to, by name. */
export const sharedValueSchemas: NonNullable<AnyFieldType['reference']['shared']> = Object.assign(
  {},
  ...fieldTypes.map((type) => (registry[type] as AnyFieldType).reference.shared),
)
