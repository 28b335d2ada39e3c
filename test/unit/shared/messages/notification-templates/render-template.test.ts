import { describe, expect, it } from 'vitest'
import { renderTemplate } from '../../../../../shared/messages/notification-templates/render-template.ts'
import { processorMs } from '../../../../make/processor-time.ts'

const own = (body: string, subject = 'subject') => ({ subject, body, translations: {} })
const bodyOf = async (body: string, params: Record<string, unknown> = {}) =>
  (await renderTemplate(own(body), params, null)).html
const subjectOf = async (text: string, params: Record<string, unknown> = {}) =>
  (await renderTemplate(own('<p></p>', text), params, null)).subject

it('has times in the language and time zone of the reader, and as they are behind .raw', async () => {
  const template = own(
    '<p>{{record.created_at}} {{record.created_at.raw}} {{record.day}} {{raw}}</p>',
    '{{record.created_at}}',
  )
  const params = { record: { created_at: '2026-07-01T22:30:00.000Z', day: '2026-07-01' }, raw: 'x' }
  const [berlin, german] = [
    await renderTemplate(template, params, null, 'Europe/Berlin'),
    await renderTemplate(template, params, 'de', 'Europe/Berlin'),
  ]
  expect([berlin.subject, berlin.html, berlin.missing]).toEqual([
    '2 July 2026, 00:30',
    '<p>2 July 2026, 00:30 2026-07-01T22:30:00.000Z 2026-07-01 x</p>',
    [],
  ])
  expect(german.subject).toBe('2. Juli 2026, 00:30')
  // A member of that name is no other way to write a value.
  expect(await bodyOf('{{file.raw}}{{file.raw.raw}}{{gone.raw}}', { file: { raw: 'a' } })).toBe('aa')
})

describe('a placeholder', () => {
  it.each([
    ['a value', '{{name}}', 'Ann'],
    ['a value inside an object', '{{client.company.name}}', 'Northwind'],
    ['a value inside a list', '{{items.1.title}}', 'two'],
    ['the length of a list', '{{items.length}}', '2'],
    ['a number', '{{count}}', '0'],
    ['a boolean', '{{open}}', 'false'],
    ['spaces around the path', 'a {{  name\n}} b', 'a Ann b'],
    ['two placeholders side by side', '{{name}}{{count}}', 'Ann0'],
    ['nothing for null', '[{{nothing}}]', '[]'],
    ['nothing for an unknown name', '[{{naem}}]', '[]'],
    ['nothing for a path through a text', '[{{name.first}}]', '[]'],
    ['nothing for a path through null', '[{{nothing.first}}]', '[]'],
    ['a list of plain values as people write it', '{{tags}}', 'red, , 3'],
    ['an object as JSON', '{{client}}', '{&quot;company&quot;:{&quot;name&quot;:&quot;Northwind&quot;}}'],
    [
      'a list of objects as JSON',
      '{{items}}',
      '[{&quot;title&quot;:&quot;one&quot;},{&quot;title&quot;:&quot;two&quot;}]',
    ],
    ['a name with letters of any language', '{{größe}}', 'XL'],
  ])('shows %s', async (_what, template, expected) => {
    const params = {
      name: 'Ann',
      client: { company: { name: 'Northwind' } },
      items: [{ title: 'one' }, { title: 'two' }],
      count: 0,
      open: false,
      nothing: null,
      tags: ['red', null, 3],
      größe: 'XL',
    }
    expect(await bodyOf(template, params)).toBe(expected)
  })

  it.each(['constructor', '__proto__', 'toString', 'client.constructor.name', 'client.__proto__', 'list.map'])(
    'shows nothing for the inherited %s',
    async (path) => {
      const { html, missing } = await renderTemplate(own(`[{{${path}}}]`), { client: {}, list: [] }, null)
      expect([html, missing]).toEqual(['[]', [path]])
    },
  )

  it('is not expanded in a value', async () => {
    expect(await bodyOf('{{a}}{{b}}', { a: '{{b}}', b: '{{a}}' })).toBe('{{b}}{{a}}')
    expect(await bodyOf('{{a}}b}}', { a: '{{', b: 'x' })).toBe('{{b}}')
  })

  it('is escaped in the body, for text and for quoted attributes', async () => {
    expect(await bodyOf(`<a title="{{x}}" class='{{x}}'>{{x}}</a>`, { x: `<b>"it's" & so</b>` })).toBe(
      `<a title="${'&lt;b&gt;&quot;it&#39;s&quot; &amp; so&lt;/b&gt;'}" class='${'&lt;b&gt;&quot;it&#39;s&quot; &amp; so&lt;/b&gt;'}'>&lt;b&gt;&quot;it&#39;s&quot; &amp; so&lt;/b&gt;</a>`,
    )
    expect(await subjectOf('{{x}}', { x: `Ann & "Bob" <c>` })).toBe(`Ann & "Bob" <c>`)
  })

  it('that has no value is named once', async () => {
    const template = own('{{b.c}} {{a}} {{b.c}} {{known}} {{nothing}}', '{{a}}')
    expect((await renderTemplate(template, { known: '', nothing: null, b: {} }, null)).missing).toEqual(['a', 'b.c'])
  })

  it('that is none stays as it stands', async () => {
    expect(await bodyOf('a {{}} b {{#if x}} } }} {{ {{x}} {{', { x: 1 })).toBe('a {{}} b {{#if x}} } }} {{ 1 {{')
  })
})

describe('the subject', () => {
  it('is one line without control characters', async () => {
    expect(await subjectOf('Hello\r\n {{x}}\u0000 end', { x: 'a\r\nBcc: eve@evil.test\u2028b\u0007c\td' })).toBe(
      'Hello  a Bcc: eve@evil.test bc d end',
    )
    expect(await subjectOf('{{x}}', { x: '\u0085\u009f' })).toBe('')
  })

  it('is cut after 998 characters, however often a long value is repeated', async () => {
    expect(await subjectOf('{{x}}'.repeat(100), { x: 'y'.repeat(1_000_000) })).toHaveLength(998)
  })
})

describe('the language', () => {
  const texts = (name: string) => ({ subject: name, body: `<p>${name}</p>` })
  const template = {
    ...texts('own'),
    translations: { de: texts('de'), 'de-AT': texts('de-AT'), 'zh-Hant': texts('zh-Hant'), 'pt-BR': texts('pt-BR') },
  }

  it.each([
    ['de-AT', 'de-AT'],
    ['de-at', 'de-AT'],
    ['de-CH', 'de'],
    ['DE', 'de'],
    ['zh-Hant-TW', 'zh-Hant'],
    ['zh', 'own'],
    ['pt', 'own'],
    ['fr', 'own'],
    ['constructor', 'own'],
    ['tostring', 'own'],
    ['not a locale', 'own'],
    [null, 'own'],
  ])('of a recipient with %s is %s', async (locale, expected) => {
    const { subject, html, text } = await renderTemplate(template, {}, locale)
    expect([subject, html, text]).toEqual([expected, `<p>${expected}</p>`, expected])
  })
})

describe('a hostile template', () => {
  const size = 256 * 1024
  it.each([
    ['opening braces', '{'.repeat(size)],
    ['opening braces and an end', `${'{'.repeat(size - 2)}}}`],
    ['pairs that are never closed', '{{ '.repeat(size / 3)],
    ['closing braces', '}'.repeat(size)],
    ['one endless path', `{{${'a.'.repeat(size / 2 - 3)}a}}`],
    ['one endless name', `{{${'a'.repeat(size - 4)}}}`],
    ['spaces in braces', `{{${' '.repeat(size - 4)}}}`],
    ['triple braces', '{{{a}}}'.repeat(size / 7)],
    ['openings before each end', '{{{{{{{{}}'.repeat(size / 10)],
    ['elements in each other', '<div>'.repeat(10_000)],
    ['lists in each other', '<ul><li>'.repeat(10_000)],
    ['tables in each other', '<table><tr><td>'.repeat(10_000)],
  ])('of %s is rendered in time', async (_what, body) => {
    expect(await processorMs(() => bodyOf(body))).toBeLessThan(20_000)
  })

  it('of many placeholders for one long value is refused', async () => {
    await expect(bodyOf('{{a}}'.repeat(50_000), { a: 'x'.repeat(100_000) })).rejects.toMatchObject({
      errors: { body: [expect.stringContaining('longer than 1 MB')] },
    })
  })
})
