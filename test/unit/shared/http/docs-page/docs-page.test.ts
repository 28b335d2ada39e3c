import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { docsPage, docsPagePolicy } from '../../../../../shared/http/docs-page/docs-page.ts'
import { curlOf, endpointsOf } from '../../../../../shared/http/docs-page/endpoint-section.ts'
import { fieldRows } from '../../../../../shared/http/docs-page/field-rows.ts'
import { compactJson, escapeHtml, inlineMarkup, jsonMarkup } from '../../../../../shared/http/docs-page/markup.ts'
import type { JsonSchema, OpenApiDocument } from '../../../../../shared/http/openapi/document-types.ts'
import { openApiDocument } from '../../../../../shared/http/openapi/openapi-document.ts'
import { defineRoute, onTable, type Route } from '../../../../../shared/http/routing/define-route.ts'
import { sampleRoutes } from '../../../../make/builders/sample-routes.ts'

const write = (routes: readonly Route[], serverUrl = 'http://localhost:3000'): OpenApiDocument =>
  openApiDocument(routes, { version: '1.2.3', serverUrl })
const document = write(sampleRoutes)
const page = docsPage(document)
const hostile = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`

const hostileRoute: Route = defineRoute({
  method: 'POST',
  path: '/api/x/{model}',
  permission: onTable('create'),
  tag: hostile,
  summary: hostile,
  description: `${hostile} \`${hostile}\` **${hostile}**\n\n- ${hostile}\n\n## ${hostile}`,
  params: z.object({ model: z.string().meta({ description: hostile }) }),
  query: z.object({ [hostile]: z.string().default(hostile).meta({ description: hostile }) }),
  body: z.object({ [hostile]: z.enum([hostile, 'b']).meta({ description: hostile }), p: z.string().regex(/<script>/) }),
  answer: z.object({ a: z.literal(hostile).meta({ description: hostile }) }),
  example: {
    params: { model: hostile },
    query: { [hostile]: hostile },
    body: { [hostile]: hostile },
    answer: { a: hostile },
  },
})

describe('the docs page', () => {
  it('gives every endpoint an anchor that the navigation leads to', () => {
    for (const { operationId } of operations(document)) {
      expect(page).toContain(`<section class="endpoint" id="${operationId}"`)
      expect(page).toContain(`<a href="#${operationId}"><span class="method`)
    }
  })

  it('links only to anchors that exist, and has each anchor once', () => {
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [, target] of page.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(target)
  })

  it('loads no other resource', () => {
    expect(page).not.toMatch(/\ssrc=|@import|<link rel="stylesheet"|<iframe|<object/)
    expect(
      [...page.matchAll(/href="([^"]*)"/g)]
        .map(([, href]) => href?.replace(/^#.*/, '#').replace(/^data:.*/, 'data:'))
        .filter((href) => href !== '#'),
    ).toEqual(['data:', 'openapi.json'])
    expect(page.replace(/<style>.*<\/style>/s, '')).not.toContain('style=')
    expect(page).not.toMatch(/url\(/)
  })

  it('allows its own style and script by their hash and nothing else', () => {
    const hashOf = (tag: string): string => {
      const [, text = ''] = new RegExp(`<${tag}>(.*)</${tag}>`, 's').exec(page) ?? []
      return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    }
    expect(docsPagePolicy).toContain("default-src 'none'")
    expect(docsPagePolicy).toContain(`style-src ${hashOf('style')};`)
    expect(docsPagePolicy).toContain(`script-src ${hashOf('script')};`)
    expect(docsPagePolicy).not.toContain('unsafe')
  })

  it('has a language, landmarks, a skip link and ordered headings for screen readers', () => {
    expect(page).toMatch(/<html lang="en">/)
    expect(page).toMatch(/<a class="skip" href="#content">/)
    for (const landmark of ['<header', '<nav aria-label="Endpoints">', '<main id="content"'])
      expect(page).toContain(landmark)
    expect(page.match(/<h1>/g)).toHaveLength(1)
    const levels = [...page.replace(/<nav.*<\/nav>/s, '').matchAll(/<h(\d)/g)].map(([, level]) => Number(level))
    levels.forEach((level, index) => expect(level).toBeLessThanOrEqual((levels[index - 1] ?? 0) + 1))
  })

  it('closes every element it opens', () => {
    expect(unclosed(page)).toEqual([])
    expect(unclosed(docsPage(write([...sampleRoutes, hostileRoute])))).toEqual([])
  })

  it('escapes all text, whatever is in it', () => {
    const attacked = docsPage({
      ...write([hostileRoute], `https://x/${hostile}`),
      info: { ...document.info, title: hostile, version: hostile },
    })
    expect(attacked.match(/<script/g)).toHaveLength(1)
    expect(attacked).not.toContain('<img')
    expect(attacked.replace(/"[^"]*"/g, '""')).not.toMatch(/<[a-z][^<>]*\son\w+\s*=/i)
    expect(attacked).toContain('&lt;script&gt;')
  })

  it('is the same for the same document', () => {
    expect(docsPage(write(sampleRoutes))).toBe(page)
  })
})

describe('contrast', () => {
  const palette = (block: string): Map<string, string> =>
    new Map(
      [...block.matchAll(/--([a-z]+): (#[0-9a-f]{6})/g)].map(([, name, colour]) => [name as string, colour as string]),
    )
  const [, light = '', dark = ''] = page.split(/:root \{/)
  const inks = ['text', 'soft', 'accent', 'get', 'post', 'put', 'patch', 'delete']
  it.each([
    ['light', palette(light)],
    ['dark', palette(dark.slice(0, dark.indexOf('}')))],
  ])('is at least 4.5 to 1 in the %s theme', (_, colours) => {
    for (const ink of inks) {
      for (const ground of ['bg', 'side', 'chip']) {
        expect(
          contrast(colours.get(ink) ?? '', colours.get(ground) ?? ''),
          `${ink} on ${ground}`,
        ).toBeGreaterThanOrEqual(4.5)
      }
    }
    expect(contrast(colours.get('accent') ?? '', colours.get('mark') ?? '')).toBeGreaterThanOrEqual(4.5)
  })
})

describe('example requests', () => {
  const curl = (operationId: string): string => {
    const endpoint = document.tags
      .flatMap(({ name }) => endpointsOf(document, name))
      .find(({ operation }) => operation.operationId === operationId)
    if (!endpoint) throw new Error(`no ${operationId}`)
    return curlOf(document, endpoint)
  }

  it('fill in the path and the query and take the token from $TOKEN', () => {
    expect(curl('listRecords')).toBe(
      `curl 'http://localhost:3000/api/e/notes?sort=-id&from=today' \\\n  -H "Authorization: Bearer $TOKEN"`,
    )
  })

  it('send no token to an open endpoint', () => {
    expect(curl('loginLocal')).not.toContain('Authorization')
  })

  it('are quoted correctly for the shell, including apostrophes', () => {
    const [, ...args] = execFileSync(
      'sh',
      ['-c', `TOKEN='1|s'; ${curl('createRecord').replace('curl', 'printf "%s\\n" curl')}`],
      { encoding: 'utf8' },
    )
      .trim()
      .split('\n')
    expect(args.slice(0, 6)).toEqual([
      '-X',
      'POST',
      'http://localhost:3000/api/e/notes',
      '-H',
      'Authorization: Bearer 1|s',
      '-H',
    ])
    expect(JSON.parse(args.slice(8).join('\n'))).toEqual({ title: "It's on fire" })
  })
})

describe('field tables', () => {
  const rows = (schema: JsonSchema) =>
    fieldRows(document, schema).map(({ name, type, required }) => [name, type, required])

  it('list nested members under their path, and stop where a schema refers to itself', () => {
    const body = document.paths['/api/e/{model}/{id}']?.patch?.requestBody?.content['application/json']?.schema ?? {}
    expect(rows(body)).toEqual([
      ['title', 'string', true],
      ['tree', 'object', false],
      ['tree.name', 'string', true],
      ['tree.children', 'array of object', true],
    ])
  })

  it.each<[JsonSchema, string]>([
    [{ type: ['string', 'null'], format: 'date-time' }, 'string (date-time) or null'],
    [{ type: 'array', items: { type: 'integer' } }, 'array of integer'],
    [{ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }, 'string or array of string'],
    [{ $ref: '#/components/schemas/Note' }, 'object'],
    [{}, 'any value'],
  ])('name the type of %j', (schema, type) => {
    expect(rows({ type: 'object', properties: { a: schema } })[0]).toEqual(['a', type, false])
  })
})

describe('markup', () => {
  it('escapes characters that have a meaning in HTML', () => {
    expect(escapeHtml(`<a href="x" id='y'>&`)).toBe('&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;')
  })

  it('renders code and strong in a line', () => {
    expect(inlineMarkup('a `<b>` **c** `**d**`')).toBe('a <code>&lt;b&gt;</code> <strong>c</strong> <code>**d**</code>')
  })

  it.each([
    [{}],
    [[]],
    [null],
    [{ a: [], b: {} }],
    [{ text: 'a"b\\', list: [1, -2.5e9, true, null], deep: { long: 'x'.repeat(80) } }],
  ])('writes JSON that reads back as it was: %j', (value) => {
    expect(JSON.parse(compactJson(value))).toEqual(value)
    const text = jsonMarkup(value)
      .replace(/<[^>]+>/g, '')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
    expect(JSON.parse(text)).toEqual(value)
  })
})

const operations = ({ paths }: OpenApiDocument) => Object.values(paths).flatMap((methods) => Object.values(methods))

const childless = new Set(['meta', 'link', 'input', 'wbr', 'br'])

/** Elements that are not closed, or closed in the wrong order. */
function unclosed(html: string): string[] {
  const open: string[] = []
  const bad: string[] = []
  const text = html.replace(/<(style|script)>.*?<\/\1>/gs, '')
  for (const [, slash, name = ''] of text.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/g)) {
    if (childless.has(name)) continue
    if (slash === '') open.push(name)
    else if (open.pop() !== name) bad.push(name)
  }
  return [...bad, ...open]
}

/** The contrast ratio of WCAG 2.2. */
function contrast(one: string, other: string): number {
  const luminance = (colour: string): number => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5]
      .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}
