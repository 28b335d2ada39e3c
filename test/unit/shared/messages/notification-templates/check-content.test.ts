import { expect, it } from 'vitest'
import { checkContent } from '../../../../../shared/messages/notification-templates/check-content.ts'

const content = {
  subject: 'Hello {{name}}',
  body: '<style>@media print{.a{color:red}}</style>{{ a.0.b-c }}',
  translations: {},
}

it('accepts placeholders, and braces that are none', () => {
  expect(checkContent(content)).toEqual({ content, errors: {} })
})

it.each([
  ['{{name', 'Line 1, column 1: {{name. It is not closed with }}.'],
  ['<p>\n  Hi {{name}</p>\n{{ok}}', 'Line 2, column 6: {{name}</p>…. It is not closed'],
  ['{{ }}', 'Line 1, column 1: {{ }}. It names no value.'],
  ['{{{name}}}', 'use two braces instead of three'],
  ['{{#if open}}', 'There are no conditions, loops or filters.'],
  ['{{name | upper}}', 'There are no conditions, loops or filters.'],
  ['{{first name}}', 'names of letters, digits, _, $ and -, joined by dots'],
  ['{{a..b}}', 'names of letters'],
])('refuses %j and says where', (body, message) => {
  const { errors } = checkContent({ ...content, body })
  expect([Object.keys(errors), errors.body?.[0]]).toEqual([['body'], expect.stringContaining(message)])
})

it('names the translation and the subject that are wrong', () => {
  const translations = { de: { subject: '{{', body: 'x' }, 'pt-BR': { subject: 'x', body: '{{}}' } }
  const { errors } = checkContent({ ...content, subject: '{{}}', translations })
  expect(Object.keys(errors)).toEqual(['subject', 'translations.de.subject', 'translations.pt-BR.body'])
})

it('lists at most ten mistakes', () => {
  expect(checkContent({ ...content, body: '{{}}'.repeat(50_000) }).errors.body).toHaveLength(10)
})

it('stores locales in their canonical form', () => {
  const texts = { subject: 's', body: 'b' }
  expect(checkContent({ ...content, translations: { 'de-at': texts, EN: texts } }).content.translations).toEqual({
    'de-AT': texts,
    en: texts,
  })
  const { errors } = checkContent({ ...content, translations: { de: texts, DE: texts, de_AT: texts, '???': texts } })
  expect(errors).toEqual({
    'translations.DE': ['The locale de is given twice.'],
    'translations.de_AT': ['A locale is a BCP 47 language tag such as de or de-AT. Did you mean de-AT?'],
    'translations.???': ['A locale is a BCP 47 language tag such as de or de-AT.'],
  })
})

it('holds at most 300 KB with its translations', () => {
  const long = { subject: 's', body: 'ä'.repeat(60_000) }
  expect(checkContent({ ...content, translations: { de: long, fr: long } }).errors).toEqual({})
  expect(checkContent({ ...content, translations: { de: long, fr: long, it: long } }).errors.body?.[0]).toContain(
    '300 KB',
  )
})
