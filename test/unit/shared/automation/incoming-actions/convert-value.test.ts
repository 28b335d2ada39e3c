import { describe, expect, it } from 'vitest'
import { convertValue, mapFields } from '../../../../../shared/automation/incoming-actions/prepare/map-fields.ts'
import type { Field } from '../../../../../shared/tables/tables/schema.ts'
import { inEnglish } from '../../../../make/oracles/in-english.ts'

const context = {
  timeZone: 'Europe/Berlin',
  userIdOf: async (address: string) => (address === 'ann@example.com' ? 3 : undefined),
}
const field = (type: Field['type'], more: Partial<Field> = {}): Field => ({ name: 'it', type, ...more }) as Field
const convert = (type: Field['type'], value: unknown, more?: Partial<Field>) =>
  convertValue(field(type, more), value, context)

const options = { options: [{ slug: 'mail', label: 'E-mail' }, { slug: 'Phone' }] }
const attachment = (name: string, content_type: string, path: string | null) => ({ name, content_type, size: 1, path })
const pdf = attachment('a.pdf', 'application/pdf', 'files/1/aa/a.pdf')
const jpg = attachment('b.jpg', 'image/jpeg', 'files/1/bb/b.jpg')
const lost = attachment('c.zip', 'application/zip', null)

describe('a value of a message as a field stores it', () => {
  it.each<[type: Field['type'], given: unknown, expected: unknown, more?: Partial<Field>]>([
    ['text', 'Printer', 'Printer'],
    ['text', 42, '42'],
    ['text', true, 'true'],
    ['text', ['a', 2], 'a, 2'],
    ['text', { a: 1 }, '{"a":1}'],
    ['text', 'abcdef', 'abc…', { max_length: 4 }],
    ['text', 'abcd', 'abcd', { max_length: 4 }],
    ['text', '😀😀😀😀😀', '😀😀😀…', { max_length: 4 }],
    ['text', 'half \ud83d', 'half \ufffd'],
    ['textarea', 'line\nline', 'line\nline'],
    ['integer', '3', 3],
    ['integer', ' -12 ', -12],
    ['integer', 3, 3],
    ['integer', '3.0', 3],
    ['float', '2.5', 2.5],
    ['float', '1e3', 1000],
    ['boolean', 'true', true],
    ['boolean', 'Yes', true],
    ['boolean', '1', true],
    ['boolean', 0, false],
    ['boolean', 'off', false],
    ['date', '2026-11-20', '2026-11-20'],
    ['date', '2026-11-20T23:30:00Z', '2026-11-21'],
    ['date', 'Fri, 20 Nov 2026 13:15:00 +0100', '2026-11-20'],
    ['datetime', 'Fri, 20 Nov 2026 13:15:00 +0100 (CET)', '2026-11-20T12:15:00.000Z'],
    ['datetime', '20 Nov 2026 07:15:00 EST', '2026-11-20T12:15:00.000Z'],
    ['datetime', '2026-11-20T13:15:00+01:00', '2026-11-20T12:15:00.000Z'],
    ['datetime', 1_795_176_900, '2026-11-20T12:15:00.000Z'],
    ['datetime', 1_795_176_900_000, '2026-11-20T12:15:00.000Z'],
    ['value_list', 'mail', 'mail', options],
    ['value_list', 'MAIL', 'mail', options],
    ['value_list', 'e-mail', 'mail', options],
    ['value_list', 'phone', 'Phone', options],
    ['state_model', 'New', 'new', { states: [{ slug: 'new', is_initial: true }] }],
    ['model_list', '17', 17, { target_table: 'clients' }],
    ['model_list', { model: 'clients', id: 17 }, 17, { target_table: 'clients' }],
    ['user', '3', 3],
    ['user', 'ann@example.com', 3],
    ['file', [pdf, jpg, lost], ['files/1/aa/a.pdf', 'files/1/bb/b.jpg'], { multiple: true }],
    ['file', [lost, pdf, jpg], 'files/1/aa/a.pdf'],
    ['file', jpg, 'files/1/bb/b.jpg'],
    ['image', [pdf, jpg], 'files/1/bb/b.jpg'],
    ['point', { latitude: 52.5, longitude: 13.4, horizontal_accuracy: 3 }, { lat: 52.5, lng: 13.4 }],
    ['point', { lat: '52.5', lng: '13.4' }, { lat: 52.5, lng: 13.4 }],
    ['point', '52.5, 13.4', { lat: 52.5, lng: 13.4 }],
    ['point', 'geo:52.5,13.4', { lat: 52.5, lng: 13.4 }],
  ])('%s: %j is %j', async (type, given, expected, more) =>
    expect(await convert(type, given, more)).toEqual({ value: expected }),
  )

  it.each<[type: Field['type'], given: unknown]>([
    ['text', undefined],
    ['text', null],
    ['text', ''],
    ['integer', ''],
    ['file', []],
    ['file', [lost]],
    ['image', [pdf]],
    ['user', 'stranger@example.com'],
  ])('%s: %j leaves the field out', async (type, given) => expect(await convert(type, given)).toBeUndefined())

  it.each<[type: Field['type'], given: unknown, error: string, more?: Partial<Field>]>([
    ['integer', 'three', 'The it must be a number.'],
    ['integer', '2.5', 'The it must be an integer.'],
    ['integer', '9', 'The it may not be greater than 5.', { max: 5 }],
    ['float', { a: 1 }, 'The it must be a number.'],
    ['boolean', 'perhaps', 'The it field must be true or false.'],
    ['date', '31.12.2026', 'The it is not a valid date.'],
    ['datetime', 'Fri, 31 Feb 2026 13:15:00 +0100', 'The it is not a valid date.'],
    ['datetime', 0, 'The it is not a valid date.'],
    ['value_list', 'fax', 'The selected it is invalid: there is no such option. There are: mail, Phone.', options],
    [
      'model_list',
      'ann',
      'The it must be the id of a record in clients, a positive integer.',
      { target_table: 'clients' },
    ],
    ['file', { some: 'object' }, 'The it must be a file path or an array of file paths.'],
    [
      'point',
      { latitude: 95, longitude: 0 },
      'The it must be an object with numeric lat (-90 to 90) and lng (-180 to 180).',
    ],
    ['point', 'here', 'The it must be an object with numeric lat (-90 to 90) and lng (-180 to 180).'],
  ])('%s: %j is refused', async (type, given, error, more) =>
    expect(inEnglish(await convert(type, given, more))).toEqual({ error }),
  )

  it('ends a text without a limit after 100,000 characters', async () => {
    const converted = await convert('textarea', 'x'.repeat(300_000))
    expect((converted as { value: string }).value).toBe(`${'x'.repeat(99_999)}…`)
  })
})

describe('a mapping', () => {
  const fields: Field[] = [
    { name: 'title', type: 'text' },
    { name: 'priority', type: 'integer' },
    { name: 'source', type: 'value_list', ...options },
    { name: 'chat', type: 'text' },
  ]
  const table = { fieldsByName: new Map(fields.map((one) => [one.name, one])) }
  const message = { subject: 'Help', payload: { items: [{ name: 'first' }], p: '4', bad: 'four' } }

  it('takes paths, elements by number and literals, and leaves out what has no value', async () => {
    const mapping = {
      title: 'payload.items.0.name',
      priority: 'payload.p',
      source: '=mail',
      chat: 'payload.message.from.id',
    }
    expect(await mapFields(table, mapping, message, context)).toEqual({
      data: { title: 'first', priority: 4, source: 'mail' },
      problems: {},
    })
  })

  it('names the fields whose value cannot be converted, and those that the table has lost', async () => {
    const mapping = { title: 'subject', priority: 'payload.bad', gone: 'subject' }
    expect(inEnglish(await mapFields(table, mapping, message, context))).toEqual({
      data: { title: 'Help' },
      problems: { priority: 'The priority must be a number.', gone: 'The gone field is unknown.' },
    })
  })

  it('needs a number to step into a list', async () => {
    expect((await mapFields(table, { title: 'payload.items.name' }, message, context)).data).toEqual({})
  })
})
