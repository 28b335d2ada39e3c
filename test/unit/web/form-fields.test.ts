import { describe, expect, it } from 'vitest'
import { type AskedField, fieldsOfForm, presetsOf } from '../../../web/tasks/form-fields.ts'

const field = (type: AskedField['type'], preset: string | null, more: Partial<AskedField> = {}): AskedField => ({
  name: 'a',
  label: null,
  type,
  required: false,
  readonly: false,
  bind: null,
  default: preset,
  options: [],
  scale: null,
  ...more,
})

describe('what the form of a task begins with', () => {
  it.each([
    ['boolean', 'true', true],
    ['boolean', ' TRUE ', true],
    ['boolean', 'false', false],
    ['integer', '5', 5],
    ['integer', '-5 ', -5],
    ['float', '2.5', 2.5],
    ['user', '7', 7],
    ['decimal', '10.50', '10.50'],
    ['text', '5', '5'],
    ['text', ' kept ', ' kept '],
    ['date', '2026-11-20', '2026-11-20'],
    ['value_list', 'yes', 'yes'],
    ['multi_value_list', 'a, b', ['a', 'b']],
    // The service says what is wrong with it.
    ['integer', 'five', 'five'],
  ] as const)('%s "%s" is %j', (type, preset, value) => {
    expect(presetsOf([field(type, preset)])).toEqual({ a: value })
  })

  it.each([null, '', '  '])('is nothing without a default: %j', (preset) => {
    expect(presetsOf([field('integer', preset), field('boolean', preset)])).toEqual({})
  })

  it('is what the record has in the field that it is written to, also when that is false or 0', () => {
    const form = [
      field('boolean', 'true', { name: 'urgent', bind: 'record.is_urgent' }),
      field('integer', '5', { name: 'hours', bind: 'hours' }),
      field('integer', '5', { name: 'days', bind: 'days' }),
    ]
    expect(presetsOf(form, { is_urgent: false, hours: 0, days: null })).toEqual({ urgent: false, hours: 0, days: 5 })
  })

  it('has the settings that fields are edited with', () => {
    const asked = field('value_list', null, { label: 'Why', options: ['x'], required: true })
    expect(fieldsOfForm([asked])).toEqual([
      { name: 'a', type: 'value_list', required: true, readonly: false, label: 'Why', options: [{ slug: 'x' }] },
    ])
  })
})
