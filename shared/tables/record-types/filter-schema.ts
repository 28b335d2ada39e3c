import { type JsonSchema, schemaAt } from '../../platform/http/openapi/document-types.ts'
import type { ValueKind } from '../field-types/declaration.ts'
import { typeOfField } from '../field-types/read-field.ts'
import type { Field } from '../tables/schema.ts'

/** The filter of a kind of values: the schema of its tests, and of the value that is short for a test. */
const filterOf: Readonly<Record<Exclude<ValueKind, 'opaque'>, string>> = {
  text: 'TextFilter',
  number: 'NumberFilter',
  boolean: 'BooleanFilter',
  date: 'DateFilter',
  datetime: 'DateFilter',
  point: 'PointFilter',
  decimal: 'DecimalFilter',
  numbered: 'TextFilter',
  choices: 'ChoicesFilter',
}

const flag: JsonSchema = { type: 'boolean' }
const text: JsonSchema = { type: 'string' }
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', maxItems: 1000, items })
const orNull = (value: JsonSchema): JsonSchema =>
  typeof value.type === 'string' ? { ...value, type: [value.type, 'null'] } : { anyOf: [value, { type: 'null' }] }
const presence = { _null: flag, _nnull: flag, _empty: flag, _nempty: flag }
const equality = (value: JsonSchema): Record<string, JsonSchema> => ({
  _eq: orNull(value),
  _neq: orNull(value),
  _in: listOf(value),
  _nin: listOf(value),
})
const order = (value: JsonSchema): Record<string, JsonSchema> => ({
  _lt: value,
  _lte: value,
  _gt: value,
  _gte: value,
  _between: { type: 'array', minItems: 2, maxItems: 2, items: value },
})
const texts = {
  _contains: text,
  _icontains: text,
  _starts_with: text,
  _istarts_with: text,
  _ends_with: text,
}

/** Tests of a field; a value alone is short for `_eq`, a list for `_in`, null for `_null`. */
const filter = (
  description: string,
  value: JsonSchema,
  tests: Readonly<Record<string, JsonSchema>>,
  short: readonly JsonSchema[] = [value, listOf(value)],
): JsonSchema => ({
  description,
  anyOf: [{ type: 'object', properties: tests, additionalProperties: false }, ...short, { type: 'null' }],
})

const moment: JsonSchema = {
  type: 'string',
  description: 'ISO 8601, or `$NOW`, `$NOW(-7 days)`, `$TODAY`.',
}
const variable = (name: string): JsonSchema => ({ type: 'string', const: name })
const oneId: JsonSchema = { anyOf: [{ type: 'integer' }, variable('$CURRENT_USER')] }
const ids: JsonSchema = {
  anyOf: [
    listOf({ anyOf: [{ type: 'integer' }, variable('$CURRENT_USER'), variable('$CURRENT_ORG_UNITS')] }),
    variable('$CURRENT_ORG_UNITS'),
  ],
}
const number: JsonSchema = { type: 'number' }
const point = schemaAt('Point')
const decimal: JsonSchema = { anyOf: [{ type: 'string' }, { type: 'number' }] }

/** The filter of several values; a value alone, or a list, is short for `_has_any`. */
export function severalFilter(value: JsonSchema): JsonSchema {
  const list = listOf(value)
  const whole = { anyOf: [list, { type: 'null' }] }
  return filter('Tests of several choices.', value, {
    _has_any: list,
    _has_all: list,
    _eq: whole,
    _neq: whole,
    ...presence,
  })
}

/** The filters that fields of several tables share. */
export const filterSchemas: Readonly<Record<string, JsonSchema>> = {
  TextFilter: filter('Tests of a text.', text, { ...equality(text), ...order(text), ...texts, ...presence }),
  NumberFilter: filter('Tests of a number.', number, { ...equality(number), ...order(number), ...presence }),
  BooleanFilter: filter('Tests of a boolean.', flag, { ...equality(flag), ...order(flag), ...presence }),
  DateFilter: filter('Tests of a date or time.', moment, { ...equality(moment), ...order(moment), ...presence }),
  IdFilter: filter(
    'Tests of a reference.',
    oneId,
    { ...equality(oneId), ...order(oneId), _in: ids, _nin: ids, ...presence },
    [oneId, ids],
  ),
  PointFilter: filter('Tests of a point.', point, { ...equality(point), ...presence }),
  DecimalFilter: filter('Tests of a decimal.', decimal, { ...equality(decimal), ...order(decimal), ...presence }),
  ChoicesFilter: severalFilter(text),
  PersonTests: {
    description: 'Tests of the user that a field refers to.',
    type: 'object',
    properties: { id: schemaAt('IdFilter'), name: schemaAt('TextFilter') },
    additionalProperties: false,
  },
}

/** Whether lists can ask about the values of a field. */
export const isAsked = (field: Field): boolean => typeOfField(field).kind !== 'opaque'

/** The filter of a field that lists can ask about. `slugs`: of a choice, its slugs; `target`: of a reference, the tests of what it refers to. */
export function fieldFilter(field: Field, slugs: JsonSchema | undefined, target: JsonSchema | undefined): JsonSchema {
  if (slugs) return slugs
  const type = typeOfField(field)
  const own = schemaAt(
    type.refersToPeople || type.refersToTable ? 'IdFilter' : filterOf[type.kind as keyof typeof filterOf],
  )
  return target ? { anyOf: [own, target] } : own
}

/** The filter of a choice, which knows its slugs. */
export const choiceFilter = (slug: JsonSchema): JsonSchema =>
  filter('Tests of a choice.', slug, { ...equality(slug), ...order(slug), ...texts, ...presence })

/** The filters of the standard fields. */
export const standardFilters: Readonly<Record<string, JsonSchema>> = {
  id: schemaAt('NumberFilter'),
  tenant_id: schemaAt('NumberFilter'),
  created_by: { anyOf: [schemaAt('IdFilter'), schemaAt('PersonTests')] },
  updated_by: { anyOf: [schemaAt('IdFilter'), schemaAt('PersonTests')] },
  created_at: schemaAt('DateFilter'),
  updated_at: schemaAt('DateFilter'),
  version: schemaAt('NumberFilter'),
}

/** The filters of the conversation of a record, unless its table has a field of this name. */
export const conversationFilters: Readonly<Record<string, JsonSchema>> = {
  'conversation.awaits': schemaAt('TextFilter'),
  'conversation.last_at': schemaAt('DateFilter'),
}
