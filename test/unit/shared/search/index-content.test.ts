import { describe, expect, it } from 'vitest'
import { indexContent } from '../../../../shared/search/index-content.ts'
import { counterSort } from '../../../../shared/store/keys/search.ts'
import { countedFields, counterValue } from '../../../../shared/tables/counted-fields.ts'
import { planIndexes } from '../../../../shared/tables/plan-indexes.ts'
import type { Field } from '../../../../shared/tables/schema.ts'
import { tableWith } from '../../../make/builders/indexed-records.ts'

const tokens = (table: Parameters<typeof indexContent>[0], data: object) =>
  Object.fromEntries(indexContent(table, data as Record<string, unknown>).tokens)

describe('the words kept of a record', () => {
  const table = tableWith([
    { name: 'note', type: 'textarea' },
    { name: 'title', type: 'text' },
    { name: 'code', type: 'text' },
    { name: 'hidden', type: 'text', searchable: false },
  ])

  it('weigh by field and by how often they stand there', () => {
    expect(tokens(table, { title: 'a', code: 'b', note: 'c c c c' })).toEqual({ a: 80, b: 30, c: 30 })
    expect(tokens(table, { title: 'a', code: 'a', note: 'a a' })).toEqual({ a: 130 })
  })

  it('are forty at most, those of the title first', () => {
    const many = (start: string) => Array.from({ length: 30 }, (_, at) => `${start}${at}`).join(' ')
    const kept = Object.keys(tokens(table, { note: many('n'), title: many('t') }))
    expect(kept).toHaveLength(40)
    expect(kept.filter((token) => token.startsWith('t'))).toHaveLength(30)
  })

  it('are only those of searchable text', () => {
    expect(tokens(table, { hidden: 'secret', title: 7 })).toEqual({})
  })
})

describe('counted fields', () => {
  const fields: Field[] = [
    { name: 'list', type: 'value_list', options: [{ slug: 'a' }] },
    { name: 'state', type: 'state_model', states: [{ slug: 'new', is_initial: true }] },
    { name: 'flag', type: 'boolean' },
    { name: 'owner', type: 'user' },
    { name: 'company', type: 'company' },
    { name: 'unit', type: 'org_unit' },
    { name: 'small', type: 'integer', min: 0, max: 99 },
    { name: 'wide', type: 'integer', min: 0, max: 100 },
    { name: 'open', type: 'integer', min: 0 },
    { name: 'client', type: 'model_list', target_table: 'clients' },
    { name: 'text', type: 'text' },
  ]

  it('are those with few values', () => {
    expect(countedFields({ table_fields: fields })).toEqual([
      'list',
      'state',
      'flag',
      'owner',
      'company',
      'unit',
      'small',
    ])
  })

  it.each([
    ['list', 'a'],
    ['flag', true],
    ['flag', false],
    ['owner', 12],
    ['small', -3],
    ['state', null],
  ])('write a value of %s so that it can be read: %j', (name, value) => {
    expect(counterValue(fields.find((field) => field.name === name) as Field, counterSort(value))).toBe(value)
  })

  it('tell a value that looks like none from none', () => {
    expect(counterSort('-')).not.toBe(counterSort(null))
  })
})

describe('a change of a table', () => {
  const title: Field = { name: 'title', type: 'text' }
  const flag: Field = { name: 'flag', type: 'boolean' }
  const code: Field = { name: 'code', type: 'text' }
  const before = tableWith([title, flag, code])
  const plan = (table_fields: Field[], isEmpty = false, title_field: string | null = 'title', from = before) =>
    planIndexes(from, { table_fields, title_field }, 2, isEmpty)

  it.each<[string, Field[], boolean]>([
    ['labels', [{ ...title, label: 'Title' }, flag, code], false],
    ['a limit', [{ ...title, max_length: 5 }, flag, code], false],
    ['the order', [code, title, flag], false],
    ['an index', [{ ...title, indexed: true }, flag, code], true],
    ['an index, given up', [title, { ...flag, indexed: false }, code], true],
    ['what is unique', [title, flag, { ...code, unique: true }], true],
    ['what is searchable', [title, flag, { ...code, searchable: false }], true],
    ['a new indexed field', [title, flag, code, { name: 'at', type: 'date' }], true],
    ['a new field without index or counter', [title, flag, code, { name: 'f', type: 'float' }], false],
    ['a field that goes', [title, code], false],
  ])('of %s', (_what, fields, rebuilds) => {
    expect(plan(fields).needsRebuild).toBe(rebuilds)
    expect(plan(fields, true).needsRebuild).toBe(false)
  })

  it('of the title weighs words anew', () => {
    expect(plan([title, flag, code], false, 'code').needsRebuild).toBe(true)
  })

  it('counts a new field once every record is known', () => {
    const more: Field = { name: 'more', type: 'boolean' }
    expect(plan([title, flag, code, more]).search_index?.counted).toEqual(['flag'])
    expect(plan([title, flag, code, more], true).search_index?.counted).toEqual(['flag', 'more'])
  })

  it('names guards by the version at which a field became unique', () => {
    expect(plan([title, flag, { ...code, unique: true }])).toMatchObject({
      becoming_unique: ['code'],
      unique_since: { code: 2 },
    })
    expect(plan([title, flag, { ...code, unique: true }], true)).toMatchObject({ unique_since: { code: 2 } })
  })
})
