import { describe, expect, it } from 'vitest'
import { counterSort } from '../../../../../shared/store/keys/search.ts'
import { countedFields, counterValue } from '../../../../../shared/tables/indexes/counted-fields.ts'
import type { Field } from '../../../../../shared/tables/schema.ts'

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
