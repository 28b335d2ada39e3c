import { describe, expect, it } from 'vitest'
import { checkForm } from '../../../../../shared/automation/processes/tasks/check-form.ts'
import { kinds } from '../../../../../shared/lists/query/kinds/kinds.ts'
import type { JsonSchema } from '../../../../../shared/platform/http/openapi/document-types.ts'
import { schemaWriter } from '../../../../../shared/platform/http/openapi/schema-writer.ts'
import { declareTypes } from '../../../../../shared/scripts/api/declare-types.ts'
import { objectText, sharedValueSchemas, typeOfField } from '../../../../../shared/tables/field-types/read-field.ts'
import { Field, fieldTypes, formFieldTypes } from '../../../../../shared/tables/field-types/schema.ts'
import { checkTable } from '../../../../../shared/tables/tables/checks/check-table.ts'
import { TableInput } from '../../../../../shared/tables/tables/schema.ts'
import { sampleField } from '../../../../make/builders/records/typed-sample-tables.ts'
import { inEnglish } from '../../../../make/oracles/in-english.ts'

const tableOf = (field: object) => TableInput.parse({ name: 'things', table_fields: [field] })
const errorsOf = (field: object) => checkTable(tableOf(field), new Set(['notes'])).errors
const readers = { number: () => undefined, instant: () => undefined, day: () => undefined }

describe.each(fieldTypes)('the field type %s', (name) => {
  const field = sampleField(name)
  const type = typeOfField(field)
  const example = type.example(field)

  it('says in a sentence what it is for', () => expect(type.description).toMatch(/^[A-Z].*\.$/))

  it('lets a table have a field of it', () => expect(errorsOf(field)).toEqual({}))

  it('accepts its example, and stores the stored form unchanged', () => {
    const stored = type.check(field, example)
    expect(stored).toHaveProperty('value')
    const { value } = stored as { value: unknown }
    expect(type.check(field, value)).toEqual({ value })
  })

  const strangers: readonly unknown[] = [...(name === 'json' ? [] : [{ no: 'value' }]), () => 1, Symbol('x')]
  it.each(strangers.map((value) => [value] as const))('refuses %o and names the field', (value) =>
    expect(inEnglish(type.check(field, value))).toEqual({ error: expect.stringContaining(field.name) }),
  )

  it('refuses the properties of other types', () => {
    const foreign = fieldTypes
      .flatMap((other) => Object.entries(sampleField(other)))
      .filter(([setting]) => setting !== 'name' && setting !== 'type' && !Object.hasOwn(type.properties, setting))
    for (const [setting, value] of foreign)
      expect(errorsOf({ ...field, [setting]: value })).toEqual({
        [`table_fields.0.${setting}`]: [expect.stringContaining(`The ${setting} setting belongs to fields of type`)],
      })
  })

  it('refuses unique where a value is no plain value', () =>
    expect(Object.keys(errorsOf({ ...field, unique: true }))).toEqual(
      type.mayBeUnique ? [] : ['table_fields.0.unique'],
    ))

  it('has values of a kind that lists know', () => {
    expect(kinds).toHaveProperty(type.kind)
    const { value } = type.check(field, example) as { value: unknown }
    const text = typeof value === 'object' && !Array.isArray(value) ? objectText(value as object) : undefined
    if (kinds[type.kind].isOpaque) return
    expect(typeof (text ?? (Array.isArray(value) ? value[0] : value))).not.toBe('object')
    expect(text !== undefined).toBe(type.objects !== undefined)
  })

  it('is in the reference, with every schema that it refers to', () => {
    const { $ref, ...inline } = type.reference.value as { $ref?: string }
    expect({ ...inline, ...($ref && sharedValueSchemas[$ref.split('/').at(-1)!]) }).toSatisfy(
      (schema: JsonSchema) => schema.type !== undefined || schema.anyOf !== undefined,
    )
  })

  it('has a type in scripts', () =>
    expect(declareTypes([{ name: 'things', label: 'Things', table_fields: [field] }], 'things')).toContain(
      `  ${field.name}: ${type.scriptType(field)} | null`,
    ))

  it('is searched, refers and holds files in one way at most', () => {
    const uses = [type.searchWeight, type.refersToTable, type.refersToPeople, type.files, type.lifecycle]
    expect(uses.filter(Boolean).length).toBeLessThanOrEqual(1)
  })

  it('reads its stored values from cells as an export writes them, and leaves what is no value to the check', () => {
    const { value } = type.check(field, example) as { value: unknown }
    const cell = typeof value === 'object' ? JSON.stringify(value) : String(value)
    expect(type.readCell(field, cell)).toEqual(value)
    for (const text of ['no such value', '{', '[', '1,2,3', 'NaN', '0x10', ' ']) {
      const checked = type.check(field, type.readCell(field, text))
      expect('value' in checked ? typeof checked.value : inEnglish(checked.error)).toMatch(
        new RegExp(`^string$|${field.name}`),
      )
    }
  })

  it('reads its stored values from messages as they are', () => {
    const { value } = type.check(field, example) as { value: unknown }
    const read = { ...readers, day: (one: unknown) => String(one), instant: (one: unknown) => String(one) }
    expect(type.readMessage ? type.readMessage(field, value, read) : value).toEqual(value)
  })

  it('can be told of without a value of its own', () =>
    expect(['string', 'undefined']).toContain(typeof type.inWords?.(field, example, new Map())))

  it.runIf(formFieldTypes.includes(name))('is taken by forms of tasks', () => {
    const options = type.inForms === 'with options' ? { options: [String(example)] } : {}
    const form = [{ name: 'it', type: name, isRequired: true, isReadonly: false, ...options }]
    expect(checkForm(form, { it: example }).errors).toEqual({})
  })
})

it('takes of a property that several types have what its own type takes', () => {
  expect(errorsOf({ name: 'at', type: 'date', min: '2026-01-01' })).toEqual({})
  expect(errorsOf({ name: 'at', type: 'date', min: 5 })).toEqual({
    'table_fields.0.min': ['The min of a field of type date may not be 5.'],
  })
  expect(errorsOf({ name: 'n', type: 'integer', max: '5' })).toEqual({
    'table_fields.0.max': ['The max of a field of type integer may not be "5".'],
  })
})

it('shows in the reference only what belongs to each type', () => {
  const { anyOf = [] } = schemaWriter().write(Field, 'Field')
  for (const name of fieldTypes) {
    const [shown, ...others] = anyOf.filter(({ properties }) => properties?.type?.enum?.includes(name))
    expect(others).toEqual([])
    const { properties, mayBeUnique, description } = typeOfField({ type: name })
    expect(shown?.description).toContain(`\`${name}\`: ${description}`)
    expect(Object.keys(shown?.properties ?? {}).toSorted()).toEqual(
      [
        'name',
        'label',
        'description',
        'type',
        'renamed_from',
        'required',
        'indexed',
        'default',
        'required_if',
        'readonly_if',
        'visible_if',
        ...(mayBeUnique ? ['unique'] : []),
        ...Object.keys(properties),
      ].toSorted(),
    )
  }
})
