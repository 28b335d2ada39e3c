import { describe, expect, it } from 'vitest'
import { checkChange } from '../../../../../shared/tables/checks/check-change.ts'
import { checkTable } from '../../../../../shared/tables/checks/check-table.ts'
import { ErrorList } from '../../../../../shared/tables/error-list.ts'
import { assignSlots } from '../../../../../shared/tables/indexes/assign-slots.ts'
import { TableInput, type Field } from '../../../../../shared/tables/schema.ts'
import { readTable, type Table } from '../../../../../shared/tables/table.ts'

const states = [{ slug: 'new', is_initial: true }, { slug: 'closed' }]
const errorsOf = (table_fields: unknown[], more: object = {}) =>
  checkTable(TableInput.parse({ name: 'requests', table_fields, ...more }), new Set(['requests', 'clients'])).errors

describe('the configuration of a table', () => {
  it.each<[string, unknown[], string]>([
    [
      'a name used twice',
      [
        { name: 'a', type: 'text' },
        { name: 'a', type: 'text' },
      ],
      'table_fields.1.name',
    ],
    ['a standard field’s name', [{ name: 'created_by', type: 'user' }], 'table_fields.0.name'],
    ['a reserved name of JavaScript objects', [{ name: 'constructor', type: 'text' }], 'table_fields.0.name'],
    [
      'a transition from an unknown state',
      [{ name: 's', type: 'state_model', states, transitions: [{ from: 'open', to: 'closed' }] }],
      'table_fields.0.transitions.0.from',
    ],
    [
      'a transition to an unknown state',
      [{ name: 's', type: 'state_model', states, transitions: [{ from: 'new', to: 'gone' }] }],
      'table_fields.0.transitions.0.to',
    ],
    ['no initial state', [{ name: 's', type: 'state_model', states: [{ slug: 'new' }] }], 'table_fields.0.states'],
    [
      'a state used twice',
      [{ name: 's', type: 'state_model', states: [...states, { slug: 'new' }] }],
      'table_fields.0.states.2.slug',
    ],
    ['a value_list without options', [{ name: 'v', type: 'value_list' }], 'table_fields.0.options'],
    [
      'an option used twice',
      [{ name: 'v', type: 'value_list', options: [{ slug: 'a' }, { slug: 'a' }] }],
      'table_fields.0.options.1.slug',
    ],
    ['a reference without target', [{ name: 'r', type: 'model_list' }], 'table_fields.0.target_table'],
    [
      'a reference to no table',
      [{ name: 'r', type: 'model_list', target_table: 'nowhere' }],
      'table_fields.0.target_table',
    ],
    [
      'on_delete without index',
      [{ name: 'r', type: 'model_list', target_table: 'clients', on_delete: 'set_null', indexed: false }],
      'table_fields.0.indexed',
    ],
    ['min above max', [{ name: 'n', type: 'integer', min: 5, max: 1 }], 'table_fields.0.min'],
    ['a default that its field refuses', [{ name: 'n', type: 'integer', default: 'three' }], 'table_fields.0.default'],
    ['options on another type', [{ name: 't', type: 'text', options: [{ slug: 'a' }] }], 'table_fields.0.options'],
    ['an index on a point', [{ name: 'p', type: 'point', indexed: true }], 'table_fields.0.indexed'],
    [
      'a 13th explicit index',
      Array.from({ length: 13 }, (_, index) => ({ name: `t${index}`, type: 'text', indexed: true })),
      'table_fields.12.indexed',
    ],
    [
      'an 11th unique field',
      Array.from({ length: 11 }, (_, index) => ({ name: `t${index}`, type: 'text', unique: true })),
      'table_fields.10.unique',
    ],
  ])('refuses %s', (_what, fields, path) => expect(Object.keys(errorsOf(fields))).toEqual([path]))

  it('refuses a title_field that does not exist', () =>
    expect(errorsOf([], { title_field: 'title' })).toHaveProperty('title_field'))
  it('refuses a script over 64 KB', () => {
    const automations = [{ kind: 'before_create', script: 'x'.repeat(64 * 1024 + 1) }]
    expect(errorsOf([], { automations })).toHaveProperty(['automations.0.script'])
  })
  it('lets a table refer to itself', () =>
    expect(errorsOf([{ name: 'parent', type: 'model_list', target_table: 'requests' }])).toEqual({}))
  it('leaves a 13th field without its default index', () => {
    expect(errorsOf(Array.from({ length: 13 }, (_, index) => ({ name: `n${index}`, type: 'integer' })))).toEqual({})
  })
})

const tableOf = (table_fields: Field[], before?: Table, isEmpty = true): Table =>
  readTable({
    name: 'requests',
    version: 1,
    doc: {
      id: 101,
      label: 'Requests',
      title_field: null,
      table_fields,
      automations: [],
      retired:
        before && !isEmpty
          ? [...before.retired, ...before.table_fields].filter(
              ({ name }) => !table_fields.some((field) => field.name === name),
            )
          : [],
      slots: assignSlots(table_fields, before, isEmpty),
    },
  })
const integers = (...names: string[]): Field[] => names.map((name) => ({ name, type: 'integer' }))
const slotsOf = (table: Table) => Object.fromEntries(table.slots.map(({ field, slot }) => [field, slot]))

describe('index slots', () => {
  it('go to the first twelve eligible fields in order', () => {
    const names = Array.from({ length: 14 }, (_, index) => `n${index}`)
    const slots = slotsOf(tableOf([{ name: 'text', type: 'text' }, ...integers(...names)]))
    expect(slots).toEqual(Object.fromEntries(names.slice(0, 12).map((name, index) => [name, index + 3])))
  })

  it('are kept while the table holds records', () => {
    const before = tableOf(integers('a', 'b', 'c'))
    const after = tableOf(integers('c', 'd', 'a'), before, false)
    expect(slotsOf(after)).toEqual({ a: 3, b: 4, c: 5, d: 6 })
    expect(after.slots.find(({ field }) => field === 'd')?.covers_missing).toBe(false)
  })

  it('are taken from a removed field only when none is free, and are built again when the field is added again', () => {
    const names = Array.from({ length: 12 }, (_, index) => `n${index}`)
    const full = tableOf(integers(...names))
    const retired = tableOf(integers(...names.slice(1)), full, false)
    expect(slotsOf(retired).n0).toBe(3)
    const replaced = tableOf(integers(...names.slice(1), 'late'), retired, false)
    expect(slotsOf(replaced)).toMatchObject({ late: 3 })
    expect(slotsOf(replaced)).not.toHaveProperty('n0')
    const back = tableOf(integers(...names.slice(1), 'n0'), replaced, false)
    expect(slotsOf(back)).not.toHaveProperty('n0')
    expect(back.writtenSlots).toContainEqual({ field: 'n0', slot: 3, covers_missing: false, building: true })
  })
})

describe('an index that is turned on while the table holds records', () => {
  const plain: Field[] = [{ name: 'a', type: 'text' }, ...integers('b')]
  const indexed: Field[] = [{ name: 'a', type: 'text', indexed: true }, ...integers('b')]
  const before = tableOf(plain)

  it('is written but not read until it is complete', () => {
    const after = tableOf(indexed, before, false)
    expect(slotsOf(after)).toEqual({ b: 3 })
    expect(after.writtenSlots).toContainEqual({ field: 'a', slot: 4, covers_missing: false, building: true })
  })

  it('frees its slot when it is turned off', () => {
    expect(tableOf(plain, tableOf(indexed), false).writtenSlots).toEqual([
      { field: 'b', slot: 4, covers_missing: true },
    ])
  })
})

describe('a change of a table that holds records', () => {
  const before = tableOf([
    { name: 'a', type: 'integer' },
    { name: 'b', type: 'text', unique: true },
    { name: 'r', type: 'model_list', target_table: 'clients' },
  ])
  const errors = (table_fields: Field[], from = before) => {
    const list = new ErrorList()
    checkChange(from, TableInput.parse({ name: 'requests', table_fields }), list)
    return Object.keys(list.errors)
  }

  it.each<[string, Field[], string[]]>([
    ['refuses another type', [{ name: 'a', type: 'text' }], ['table_fields.0.type']],
    [
      'refuses another target table',
      [{ name: 'r', type: 'model_list', target_table: 'requests' }],
      ['table_fields.0.target_table'],
    ],
    [
      'allows what a rebuild can change',
      [
        { name: 'a', type: 'integer', indexed: false, unique: true },
        { name: 'b', type: 'text' },
      ],
      [],
    ],
    [
      'allows what does not concern stored values',
      [
        { name: 'a', type: 'integer', label: 'A', max: 9 },
        { name: 'new', type: 'date' },
      ],
      [],
    ],
  ])('%s', (_what, fields, paths) => expect(errors(fields)).toEqual(paths))

  it('keeps the type of a removed field', () => {
    const without = tableOf([{ name: 'b', type: 'text', unique: true }], before, false)
    expect(errors([{ name: 'a', type: 'date' }], without)).toEqual(['table_fields.0.type'])
  })
})
