import { describe, expect, it } from 'vitest'
import type { FormField } from '../../../../../../shared/automation/bpmn/shapes/compiled-process.ts'
import { checkForm } from '../../../../../../shared/automation/processes/tasks/check-form.ts'
import { inEnglish } from '../../../../../make/oracles/in-english.ts'

const field = (name: string, type: FormField['type'] = 'text', more: Partial<FormField> = {}): FormField => ({
  name,
  type,
  isRequired: false,
  isReadonly: false,
  ...more,
})
const one = (given: FormField, value: unknown) => checkForm([given], { [given.name]: value })

describe('the form data of a task', () => {
  it('goes to the record where the form binds it, and to the variables otherwise', () => {
    const form = [field('comment', 'textarea', { bind: 'note' }), field('hours', 'integer'), field('unsaid')]
    expect(checkForm(form, { comment: 'fine', hours: 3 })).toEqual({
      fields: { note: 'fine' },
      variables: { hours: 3 },
      errors: {},
    })
  })

  it.each<[FormField['type'], unknown, unknown]>([
    ['text', 'a', 'a'],
    ['integer', 3, 3],
    ['float', 0.5, 0.5],
    ['boolean', false, false],
    ['date', '2026-11-20', '2026-11-20'],
    ['datetime', '2026-11-20T07:17:00+01:00', '2026-11-20T06:17:00.000Z'],
    ['user', 7, 7],
    ['text', null, null],
  ])('may have a value of type %s: %j becomes %j', (type, given, stored) => {
    expect(one(field('x', type), given)).toMatchObject({ variables: { x: stored }, errors: {} })
  })

  it.each<[FormField['type'], unknown, string]>([
    ['text', 3, 'The x must be a string.'],
    ['integer', '3', 'The x must be a number.'],
    ['integer', 1.5, 'The x must be an integer.'],
    ['boolean', 'yes', 'The x field must be true or false.'],
    ['date', '2026-02-30', 'The x is not a valid date.'],
    ['datetime', 'soon', 'The x is not a valid date.'],
    ['user', 'Ann', 'The x must be the id of a user, a positive integer.'],
  ])('is refused when a value is no %s: %j', (type, given, message) => {
    expect(inEnglish(one(field('x', type), given))).toEqual({
      fields: {},
      variables: {},
      errors: { 'data.x': [message] },
    })
  })

  it('must be one of the options of a list', () => {
    const list = field('how', 'value_list', { options: ['mail', 'phone'] })
    expect(one(list, 'mail').variables).toEqual({ how: 'mail' })
    expect(inEnglish(one(list, 'post').errors)).toEqual({
      'data.how': ['The selected how is invalid: there is no such option. There are: mail, phone.'],
    })
  })

  it.each([[{}], [{ x: null }], [{ x: '' }]])('is required where the form says so: %j', (data) => {
    expect(inEnglish(checkForm([field('x', 'text', { isRequired: true })], data).errors)).toEqual({
      'data.x': ['The x field is required.'],
    })
  })

  it.each([
    ['boolean' as const, false],
    ['integer' as const, 0],
  ])('is present when it is a %s that is %j', (type, value) => {
    expect(one(field('x', type, { isRequired: true }), value).errors).toEqual({})
  })

  it('is refused for read-only and unknown fields, even those named like members of every object', () => {
    const form = [field('fixed', 'text', { isReadonly: true, isRequired: true })]
    expect(inEnglish(checkForm(form, { fixed: 'x', toString: 1 }).errors)).toEqual({
      'data.fixed': ['The fixed field is read-only.'],
      'data.toString': ['The toString field is unknown.'],
    })
    expect(checkForm(form, {}).errors).toEqual({})
  })
})

it('a decimal has the digits that the form says, or those of the field that it is bound to, else two', () => {
  const digits = (more: Partial<FormField>) => one(field('amount', 'decimal', more), '1.2345')
  expect(inEnglish(digits({}).errors)).toEqual({
    'data.amount': ['The amount may not have more than 2 digits after the point.'],
  })
  expect(digits({ scale: 4 }).variables).toEqual({ amount: '1.2345' })
  expect(inEnglish(digits({ scale: 3 }).errors['data.amount']?.[0])).toMatch(/more than 3 digits/)
  expect(digits({ bind: 'price' }).fields.price).toMatch(/^1\.23450*$/)
})
