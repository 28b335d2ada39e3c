import { describe, expect, it } from 'vitest'
import { indexContent } from '../../../../shared/search/index-content.ts'
import { counterSort } from '../../../../shared/store/keys/search.ts'
import { countedFields, counterValue } from '../../../../shared/tables/counted-fields.ts'
import { planIndexes } from '../../../../shared/tables/plan-indexes.ts'
import type { Field } from '../../../../shared/tables/schema.ts'
import { tableWith } from '../../../make/builders/indexed-records.ts'

const tokens = (table: Parameters<typeof indexContent>[0], data: object) =>
  Object.fromEntries(indexContent(table, data as Record<string, unknown>).tokens)

describe('the indexed words of a record', () => {
  const table = tableWith([
    { name: 'note', type: 'textarea' },
    { name: 'title', type: 'text' },
    { name: 'code', type: 'text' },
    { name: 'hidden', type: 'text', searchable: false },
  ])

  it('are weighted by field and number of occurrences', () => {
    expect(tokens(table, { title: 'a', code: 'b', note: 'c c c c' })).toEqual({ a: 80, b: 30, c: 30 })
    expect(tokens(table, { title: 'a', code: 'a', note: 'a a' })).toEqual({ a: 130 })
  })

  it('are forty at most, those of the title first', () => {
    const many = (start: string) => Array.from({ length: 30 }, (_, at) => `${start}${at}`).join(' ')
    const kept = Object.keys(tokens(table, { note: many('n'), title: many('t') }))
    expect(kept).toHaveLength(40)
    expect(kept.filter((token) => token.startsWith('t'))).toHaveLength(30)
  })

  it('come from searchable text only', () => {
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
  ])('store a value of %s so that it can be read back: %j', (name, value) => {
    expect(counterValue(fields.find((field) => field.name === name) as Field, counterSort(value))).toBe(value)
  })

  it('distinguish a value that looks like none from none', () => {
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
    ['an index that is turned off', [title, { ...flag, indexed: false }, code], true],
    ['uniqueness', [title, flag, { ...code, unique: true }], true],
    ['searchability', [title, flag, { ...code, searchable: false }], true],
    ['a new indexed field', [title, flag, code, { name: 'at', type: 'date' }], true],
    ['a new field without index or counter', [title, flag, code, { name: 'f', type: 'float' }], false],
    ['a removed field', [title, code], false],
  ])('rebuilds a table with records exactly when it must: %s', (_what, fields, rebuilds) => {
    expect(plan(fields).needsRebuild).toBe(rebuilds)
    expect(plan(fields, true).needsRebuild).toBe(false)
  })

  it('of the title field rebuilds the table, to weight words again', () => {
    expect(plan([title, flag, code], false, 'code').needsRebuild).toBe(true)
  })

  it('counts a new field at once only in an empty table', () => {
    const more: Field = { name: 'more', type: 'boolean' }
    expect(plan([title, flag, code, more]).search_index?.counted).toEqual(['flag'])
    expect(plan([title, flag, code, more], true).search_index?.counted).toEqual(['flag', 'more'])
  })

  it('keys unique guards by the version at which a field became unique', () => {
    expect(plan([title, flag, { ...code, unique: true }])).toMatchObject({
      becoming_unique: ['code'],
      unique_since: { code: 2 },
    })
    expect(plan([title, flag, { ...code, unique: true }], true)).toMatchObject({ unique_since: { code: 2 } })
  })
})
