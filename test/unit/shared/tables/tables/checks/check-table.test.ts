import { describe, expect, it } from 'vitest'
import { checkChange } from '../../../../../../shared/tables/tables/checks/check-change.ts'
import { checkTable } from '../../../../../../shared/tables/tables/checks/check-table.ts'
import { ErrorList } from '../../../../../../shared/tables/tables/error-list.ts'
import { TableInput, type Field } from '../../../../../../shared/tables/tables/schema.ts'
import { reservedTableName } from '../../../../../../shared/tables/tables/table.ts'
import { tableOf as tableNamed } from '../../../../../make/builders/lists/query-records.ts'
import { inheritedNames } from '../../../../../make/loads/hostile-values.ts'

const states = [{ slug: 'new', is_initial: true }, { slug: 'closed' }]
const errorsOf = (table_fields: unknown[], more: object = {}) =>
  checkTable(TableInput.parse({ name: 'requests', table_fields, ...more }), new Set(['requests', 'clients'])).errors

describe('names that every object has', () => {
  it.each(inheritedNames)('%s names neither a field nor a table', (name) => {
    const fits = TableInput.safeParse({ name, table_fields: [{ name, type: 'text' }] }).success
    // The only one that is shaped like a name of ours is one that no body may have as a key.
    expect(fits).toBe(name === 'constructor')
    if (!fits) return
    expect(errorsOf([{ name, type: 'text' }])).toEqual({ 'table_fields.0.name': [expect.stringContaining(name)] })
    expect(reservedTableName(name)).toContain('reserved')
  })

  it.each(inheritedNames)('%s is a path of errors like any other', (name) => {
    const list = new ErrorList()
    list.add(name, 'one')
    list.add(name, 'two')
    expect(Object.entries(list.errors)).toEqual([[name, ['one', 'two']]])
    expect(list.errors.other ?? 'none').toBe('none')
  })
})

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
    ['min above max', [{ name: 'n', type: 'integer', min: 5, max: 1 }], 'table_fields.0.min'],
    ['a default that its field refuses', [{ name: 'n', type: 'integer', default: 'three' }], 'table_fields.0.default'],
    ['options on another type', [{ name: 't', type: 'text', options: [{ slug: 'a' }] }], 'table_fields.0.options'],
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
  it('accepts indexed on any field, on as many as there are', () => {
    const point = { name: 'p', type: 'point', indexed: true }
    const texts = Array.from({ length: 13 }, (_, index) => ({ name: `t${index}`, type: 'text', indexed: true }))
    expect(errorsOf([point, ...texts])).toEqual({})
  })
  it('accepts on_delete on a field that is not indexed', () => {
    const reference = { name: 'r', type: 'model_list', target_table: 'clients', on_delete: 'set_null', indexed: false }
    expect(errorsOf([reference])).toEqual({})
  })
})

describe('a change of a table that holds records', () => {
  const tableOf = (fields: Field[]) => tableNamed(101, 'requests', fields)
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
    const without = {
      ...tableOf([{ name: 'b', type: 'text', unique: true }]),
      retired: [{ name: 'a', type: 'integer' as const }],
    }
    expect(errors([{ name: 'a', type: 'date' }], without)).toEqual(['table_fields.0.type'])
  })
})
