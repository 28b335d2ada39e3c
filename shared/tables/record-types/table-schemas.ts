import { type JsonSchema, schemaAt } from '../../platform/http/openapi/document-types.ts'
import { envelope, pageSchema } from '../../platform/http/openapi/success-responses.ts'
import type { ValueKind } from '../field-types/declaration.ts'
import { typeOfField } from '../field-types/read-field.ts'
import type { Field } from '../tables/schema.ts'
import { changedValue, isDemanded, newValue, shownValue, slugsOf } from './field-schema.ts'
import {
  choiceFilter,
  conversationFilters,
  fieldFilter,
  isAsked,
  severalFilter,
  standardFilters,
} from './filter-schema.ts'
import type { TypedTable, TypedTables } from './typed-tables.ts'

type Schemas = Record<string, JsonSchema>

/** At most this many names of fields of referenced records are listed beside a table's own. */
const maxSteps = 400

/** The schemas of one table, by name: those that its operations in the document need, and what they refer to. */
export function tableSchemas(table: TypedTable, tables: TypedTables): Schemas {
  const { name, allowed, readable } = table
  const written = allowed.create || allowed.update
  return {
    ...choices(table),
    [`${name}Data`]: {
      description: `The fields of ${table.table.label}. A choice may be one that was removed since; a field without a value is absent or null.`,
      type: 'object',
      properties: fieldsOf(readable, (field) => shownValue(field, choiceOf(table, field))),
    },
    ...(allowed.read || written ? { [name]: record(table) } : {}),
    ...(allowed.create && { [`${name}Input`]: newRecord(table), [`${name}Import`]: imported(table) }),
    ...(allowed.update && {
      [`${name}Changes`]: changes(table),
      [`${name}Restored`]: envelopeOf(table, {
        meta: {
          type: 'object',
          required: ['missing_files'],
          properties: { missing_files: { type: 'array', items: { type: 'string' } } },
        },
      }),
    }),
    ...((allowed.read || written) && { [`${name}Envelope`]: envelopeOf(table) }),
    ...(allowed.read && listSchemas(table, tables)),
  }
}

const envelopeOf = ({ name }: TypedTable, more: Schemas = {}): JsonSchema => envelope({ data: schemaAt(name), ...more })

const choiceOf = ({ choices: names }: TypedTable, field: Field): JsonSchema | undefined => {
  const name = names.get(field.name)
  if (name === undefined) return undefined
  const one = schemaAt(name)
  return typeOfField(field).choices?.several ? { type: 'array', items: one, uniqueItems: true } : one
}

/** A schema for each choice, and its filter. */
function choices(table: TypedTable): Schemas {
  return Object.fromEntries(
    table.visible.flatMap((field): [string, JsonSchema][] => {
      const name = table.choices.get(field.name)
      const slugs = slugsOf(field)
      if (name === undefined || !slugs) return []
      return [
        [name, { type: 'string', enum: slugs }],
        [`${name}Filter`, (typeOfField(field).choices?.several ? severalFilter : choiceFilter)(schemaAt(name))],
      ]
    }),
  )
}

const fieldsOf = (fields: readonly Field[], write: (field: Field) => JsonSchema): Schemas =>
  Object.fromEntries(fields.map((field) => [field.name, write(field)]))

const standard: Schemas = {
  id: { type: 'integer' },
  tenant_id: { type: 'integer' },
  created_by: { type: 'integer' },
  updated_by: { type: 'integer' },
  created_at: { type: 'string', format: 'date-time' },
  updated_at: { type: 'string', format: 'date-time' },
  version: { type: 'integer', description: 'Rises by one with every change; the ETag of the record.' },
}

const conversation: Schemas = {
  conversation: {
    description: 'The conversation with whoever the record is about, where there is one.',
    type: 'object',
    required: ['last_at', 'last_by', 'awaits', 'messages'],
    properties: {
      last_at: { type: 'string', format: 'date-time' },
      last_by: { type: 'string', enum: ['customer', 'team'] },
      awaits: { type: ['string', 'null'], enum: ['team', 'customer', null] },
      messages: { type: 'integer' },
    },
  },
}

const record = ({ name, table }: TypedTable): JsonSchema => ({
  description: `A record of ${table.label}.`,
  type: 'object',
  required: [...Object.keys(standard), 'data'],
  properties: { ...standard, ...conversation, data: schemaAt(`${name}Data`) },
})

function newRecord(table: TypedTable): JsonSchema {
  const required = table.creatable.filter(isDemanded).map((field) => field.name)
  return {
    description: `A new record of ${table.table.label}. Fields that are left out get their default.`,
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: fieldsOf(table.creatable, (field) => newValue(field, choiceOf(table, field))),
    additionalProperties: false,
  }
}

const changes = (table: TypedTable): JsonSchema => ({
  description: `Changes of a record of ${table.table.label}: what is left out stays, null clears.`,
  type: 'object',
  properties: fieldsOf(table.updatable, (field) => changedValue(field, choiceOf(table, field))),
  additionalProperties: false,
})

const imported = ({ name }: TypedTable): JsonSchema => ({
  type: 'object',
  required: ['rows'],
  properties: {
    rows: { type: 'array', maxItems: 5000, items: schemaAt(`${name}Input`) },
    dry_run: { type: 'boolean', description: 'Checks every row and stores nothing.' },
  },
  additionalProperties: false,
})

/** The kinds whose values can be added up. */
const addableKinds: ReadonlySet<ValueKind> = new Set(['number', 'decimal'])

/** What lists of the table take and answer. */
function listSchemas(table: TypedTable, tables: TypedTables): Schemas {
  const { name, readable } = table
  const references = referencesOf(table, tables)
  const ofConversation = table.table.table_fields.some((field) => field.name === 'conversation')
    ? {}
    : conversationFilters
  const names = [...readable.map((field) => field.name), ...Object.keys(standard), ...Object.keys(ofConversation)]
  const steps = references.flatMap(({ field, members }) => members.map((member) => `${field}.${member}`))
  const paths = steps.length > maxSteps ? names : [...names, ...steps]
  const opaque = new Set(readable.filter((field) => !isAsked(field)).map((field) => field.name))
  const sums = [
    ...readable.filter((field) => addableKinds.has(typeOfField(field).kind)).map((field) => field.name),
    'version',
  ]
  const tests = {
    ...standardFilters,
    ...ofConversation,
    ...fieldsOf(readable.filter(isAsked), (field) => {
      const choice = table.choices.get(field.name)
      const target = references.find((one) => one.field === field.name)?.tests
      return fieldFilter(field, choice === undefined ? undefined : schemaAt(`${choice}Filter`), target)
    }),
  }
  return {
    [`${name}Tests`]: { type: 'object', properties: tests },
    [`${name}Filter`]: {
      description:
        'A field with its tests, and `_and`, `_or`, `_not` of such. Fields of a referenced record are nested one step deep, `{ "client_id": { "name": "Ada" } }`, or written `client_id.name`.',
      allOf: [
        schemaAt(`${name}Tests`),
        {
          type: 'object',
          properties: {
            _and: { type: 'array', items: schemaAt(`${name}Filter`) },
            _or: { type: 'array', items: schemaAt(`${name}Filter`) },
            _not: schemaAt(`${name}Filter`),
          },
        },
      ],
    },
    [`${name}Name`]: {
      description: 'A field of the table, a standard field, or a field of a referenced record.',
      type: 'string',
      enum: paths,
    },
    [`${name}Sort`]: {
      description: 'A field to sort by; `-` before it for descending.',
      type: 'string',
      enum: paths.filter((path) => !opaque.has(path)).flatMap((path) => [path, `-${path}`]),
    },
    [`${name}Reference`]: {
      description: 'A field whose record can be put under `expanded`.',
      type: 'string',
      enum: references.map(({ field }) => field),
    },
    [`${name}Expanded`]: {
      description: 'Referenced records by the name of the reference; null where there is none.',
      type: 'object',
      properties: Object.fromEntries(references.map(({ field, shown }) => [field, shown])),
    },
    [`${name}Row`]: {
      description: `A record of ${table.table.label} in a list: whole, or \`id\` and what \`fields\` names.`,
      type: 'object',
      required: ['id', 'data'],
      properties: {
        ...standard,
        ...conversation,
        data: schemaAt(`${name}Data`),
        expanded: schemaAt(`${name}Expanded`),
      },
    },
    [`${name}Aggregate`]: {
      type: ['object', 'null'],
      properties: {
        count: { anyOf: [{ type: 'string', const: '*' }, { type: 'boolean' }] },
        sum: { type: ['array', 'null'], items: { type: 'string', enum: sums } },
        avg: { type: ['array', 'null'], items: { type: 'string', enum: sums } },
        min: { type: ['array', 'null'], items: schemaAt(`${name}Name`) },
        max: { type: ['array', 'null'], items: schemaAt(`${name}Name`) },
      },
      additionalProperties: false,
    },
    [`${name}Query`]: {
      ...tables.listBody,
      properties: {
        ...tables.listBody.properties,
        filter: { anyOf: [schemaAt(`${name}Filter`), { type: 'null' }] },
        sort: namesOf(`${name}Sort`),
        fields: { type: ['array', 'null'], items: { anyOf: [schemaAt(`${name}Name`), { const: '*' }] } },
        expand: namesOf(`${name}Reference`),
        group_by: namesOf(`${name}Name`),
        aggregate: schemaAt(`${name}Aggregate`),
      },
    },
    [`${name}Page`]: pageSchema(schemaAt(`${name}Row`)),
    [`${name}Rows`]: pageSchema({ oneOf: [schemaAt(`${name}Row`), schemaAt('AggregateRow')] }),
  }
}

const namesOf = (schema: string): JsonSchema => ({ type: ['array', 'null'], items: schemaAt(schema) })

interface ReferenceField {
  readonly field: string
  /** What a filter or sort may name of the referenced record. */
  readonly members: readonly string[]
  readonly tests: JsonSchema
  /** The record under `expanded`. */
  readonly shown: JsonSchema
}

/** The readable fields that refer to people, or to tables that are in the document too. */
function referencesOf({ readable }: TypedTable, { targetOf }: TypedTables): ReferenceField[] {
  const person = {
    members: ['id', 'name'],
    tests: schemaAt('PersonTests'),
    shown: { anyOf: [schemaAt('ExpandedPerson'), { type: 'null' }] },
  }
  const people = [
    'created_by',
    'updated_by',
    ...readable.filter((field) => typeOfField(field).refersToPeople).map(({ name }) => name),
  ]
  return [
    ...people.map((field) => ({ field, ...person })),
    ...readable.flatMap((field): ReferenceField[] => {
      const target = targetOf(field)
      return target
        ? [
            {
              field: field.name,
              members: ['id', ...target.readable.map(({ name }) => name)],
              tests: schemaAt(`${target.name}Tests`),
              shown: { anyOf: [schemaAt(`${target.name}Row`), { type: 'null' }] },
            },
          ]
        : []
    }),
  ]
}

/** The schemas that lists of several tables share. */
export const listedSchemas: Schemas = {
  ExpandedPerson: {
    description: 'The user that a field refers to.',
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
  },
}
