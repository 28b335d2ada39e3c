import { describe, expect, it } from 'vitest'
import type { Field, FieldType } from '../../../../../shared/tables/field-types/schema.ts'
import { checkValue } from '../../../../../shared/tables/field-types/service.ts'

const field = (type: FieldType, more: object = {}) => ({ name: 'f', type, ...more }) as Field
const options = [{ slug: 'mail' }, { slug: 'phone' }]

describe('a value that fits its field', () => {
  it.each([
    [field('text'), 'Printer', 'Printer'],
    [field('text'), '', ''],
    [field('text', { max_length: 2 }), '👩👩', '👩👩'],
    [field('text', { min_length: 2 }), '👩👩', '👩👩'],
    [field('text', { min_length: 2 }), '', ''],
    [field('date', { min: '2026-01-01', max: '2026-12-31' }), '2026-12-31', '2026-12-31'],
    [field('textarea'), 'two\nlines', 'two\nlines'],
    [field('integer'), 3, 3],
    [field('integer'), -0, 0],
    [field('integer'), Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    [field('float'), 1e300, 1e300],
    [field('float', { min: 0, max: 1 }), 0.5, 0.5],
    [field('boolean'), false, false],
    [field('date'), '2026-11-20', '2026-11-20'],
    [field('datetime'), '2026-11-20T07:17:00+01:00', '2026-11-20T06:17:00.000Z'],
    [field('value_list', { options }), 'mail', 'mail'],
    [field('state_model', { states: [{ slug: 'new' }] }), 'new', 'new'],
    [field('user'), 3, 3],
    [field('model_list'), 3, 3],
    [field('company'), 3, 3],
    [field('org_unit'), 3, 3],
    [field('file'), 'a/b.pdf', 'a/b.pdf'],
    [field('file'), ['a.pdf'], ['a.pdf']],
    [field('file', { multiple: true }), ['a.pdf', 'b.pdf'], ['a.pdf', 'b.pdf']],
    [field('image'), 'a.png', 'a.png'],
    [field('point'), { lat: -90, lng: 180 }, { lat: -90, lng: 180 }],
  ])('%o takes %j', (its, value, stored) => expect(checkValue(its, value)).toEqual({ value: stored }))
})

describe('a value that does not fit', () => {
  it.each([
    [field('text'), 5, 'The f must be a string.'],
    [field('text', { max_length: 2 }), 'abc', 'The f may not be greater than 2 characters.'],
    [field('text', { min_length: 2 }), '👩', 'The f must be at least 2 characters.'],
    [field('text', { pattern: { regex: 'x' } }), 'x'.repeat(10_001), 'The f may not be greater than 10000 characters.'],
    [field('date', { min: '2026-01-01' }), '2025-12-31', 'The f must be a date after or equal to 2026-01-01.'],
    [
      field('datetime', { max: '2026-01-01T01:00:00+01:00' }),
      '2026-01-01T00:00:01Z',
      'The f must be a date before or equal to 2026-01-01T01:00:00+01:00.',
    ],
    [
      field('value_list', { options: [...options, { slug: 'fax', is_active: false }] }),
      'fax',
      'The selected f is invalid: the option fax is not active. There are: mail, phone.',
    ],
    [field('textarea'), ['x'], 'The f must be a string.'],
    [field('integer'), '3', 'The f must be a number.'],
    [field('integer'), 3.5, 'The f must be an integer.'],
    [field('integer'), 2 ** 53, `The f must be between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}.`],
    [field('integer', { min: 1 }), 0, 'The f must be at least 1.'],
    [field('integer', { max: 5 }), 6, 'The f may not be greater than 5.'],
    [field('float'), true, 'The f must be a number.'],
    [field('boolean'), 'true', 'The f field must be true or false.'],
    [field('boolean'), 1, 'The f field must be true or false.'],
    [field('date'), '2026-02-30', 'The f is not a valid date.'],
    [field('date'), 20261120, 'The f is not a valid date.'],
    [field('datetime'), 'now', 'The f is not a valid date.'],
    [
      field('value_list', { options }),
      'fax',
      'The selected f is invalid: there is no such option. There are: mail, phone.',
    ],
    [
      field('value_list', { options }),
      'mial',
      'The selected f is invalid: there is no such option. Did you mean mail?',
    ],
    [field('value_list', { options }), 3, 'The selected f is invalid: it must be a string, one of mail, phone.'],
    [
      field('value_list', { options }),
      '',
      'The selected f is invalid: there is no such option. There are: mail, phone.',
    ],
    [field('user'), '3', 'The f must be the id of a user, a positive integer.'],
    [field('model_list'), 0, 'The selected f is invalid.'],
    [field('model_list', { target_table: 't' }), 1.5, 'The f must be the id of a record in t, a positive integer.'],
    [field('file'), ['a.pdf', 'b.pdf'], 'The f may hold only one file.'],
    [field('file', { multiple: true }), ['a.pdf', 'a.pdf'], 'The f names a file twice.'],
    [
      field('file', { multiple: true }),
      Array.from({ length: 51 }, (_, index) => `${index}.pdf`),
      'The f may not have more than 50 files.',
    ],
    [field('file'), { path: 'a' }, 'The f must be a file path or an array of file paths.'],
    [field('image'), ['a.png'], 'The f must be a file path.'],
    [field('image'), '../secret', 'The f must be a file path.'],
  ])('%o refuses %j', (its, value, error) => expect(checkValue(its, value)).toEqual({ error }))

  it.each([
    { lat: 91, lng: 0 },
    { lat: 0, lng: -180.1 },
    { lat: '1', lng: 2 },
    { lat: 1 },
    { lat: 1, lng: 2, alt: 3 },
    [1, 2],
    'POINT(1 2)',
    { lat: Number.NaN, lng: 0 },
  ])('a point refuses %j', (value) => expect(checkValue(field('point'), value)).toHaveProperty('error'))
})
