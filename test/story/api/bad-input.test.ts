import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTable } from '../../make/builders/records/tables.ts'
import { inheritedNames } from '../../make/loads/hostile-values.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'notes', [
    { name: 'text', type: 'textarea' },
    { name: 'n', type: 'integer' },
    { name: 'f', type: 'float' },
    { name: 'at', type: 'point' },
  ])
})
afterAll(() => service?.stop())

const post = (body: string, headers?: Record<string, string>) =>
  service.api('POST', '/api/e/notes', { token: service.admin.token, body, headers })
const nested = (depth: number) => `{"text":${'['.repeat(depth)}${']'.repeat(depth)}}`

describe('a create is refused with', () => {
  it.each<[string, string, number, string?]>([
    ['broken JSON', '{"text":', 400],
    ['text that is no JSON', 'title=x', 400],
    ['an array', '[]', 422],
    ['null', 'null', 422],
    ['a string', '"x"', 422],
    ['no body', '', 422],
    ['a depth of 33', nested(32), 422],
    ['a depth of 200,000', nested(200_000), 422],
    ['__proto__', '{"__proto__":{"isAdministrator":true}}', 422, '__proto__'],
    ['a nested constructor', '{"at":{"constructor":{"prototype":1}}}', 422, 'at.constructor'],
    ['10,001 keys', JSON.stringify(Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`k${n}`, n]))), 422],
    ['a lone surrogate', '{"text":"\\ud800"}', 422, 'text'],
    ['a key with a lone surrogate', '{"\\udc00":1}', 422],
    ['an integer past 2^53', '{"n":9007199254740993}', 422, 'n'],
    ['a number past every double', '{"f":1e400}', 422, 'f'],
    ['5 MB', JSON.stringify({ text: 'x'.repeat(5 * 1024 * 1024) }), 413],
    ['10 MB', JSON.stringify({ text: 'x'.repeat(10 * 1024 * 1024) }), 413],
    ['20 MB', JSON.stringify({ text: 'x'.repeat(20 * 1024 * 1024) }), 413],
  ])('%s', async (_what, body, status, path) => {
    const answer = await post(body)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ success: false, message: expect.any(String) })
    expect(path === undefined ? undefined : Object.keys(answer.body.errors)).toEqual(path && [path])
    expect((await service.api('GET', '/api/e/notes', { token: service.admin.token })).body.meta.total).toBe(0)
  })

  it('bytes that are not UTF-8', async () => {
    const answer = await sendBytes(Buffer.from([0x7b, 0x22, 0x74, 0xff, 0xfe, 0x22, 0x7d]))
    expect(answer).toBe(400)
  })
})

describe('a name that every object has', () => {
  it.each(inheritedNames)('%s is refused by name', async (name) => {
    const called = (text: string) => expect.stringContaining(text)
    const isKey = name !== '__proto__' && name !== 'constructor'
    for (const [method, path] of [
      ['POST', '/api/e/notes'],
      ['POST', '/api/e/notes/list-server'],
    ] as const) {
      const answer = await service.api(method, path, { token: service.admin.token, body: `{"${name}":1}` })
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [name]])
    }
    for (const body of [
      `{"filterModel":{"data.text":{"filterType":"${name}","type":"contains","filter":"x"}},"startRow":0,"endRow":9}`,
      `{"filterModel":{"data.text":{"filterType":"text","type":"${name}","filter":"x"}},"startRow":0,"endRow":9}`,
      `{"sortModel":[{"colId":"${name}","sort":"asc"}],"startRow":0,"endRow":9}`,
      `{"rowGroupCols":[{"field":"${name}"}],"startRow":0,"endRow":9}`,
      `{"valueCols":[{"field":"n","aggFunc":"${name}"}],"rowGroupCols":[{"field":"text"}],"startRow":0,"endRow":9}`,
      `{"sort":["${name}"]}`,
      `{"fields":["${name}"]}`,
      `{"expand":["${name}"]}`,
      `{"group_by":["${name}"],"aggregate":{"count":"*"}}`,
      `{"aggregate":{"sum":["${name}"]}}`,
      `{"filter":{"n":"$${name}"}}`,
      ...(isKey ? [`{"filter":{"${name}":1}}`, `{"filter":{"n":{"${name}":1}}}`] : []),
    ]) {
      const answer = await service.api('POST', '/api/e/notes/list-server', { token: service.admin.token, body })
      expect([body, answer.status, JSON.stringify(answer.body)]).toEqual([body, 422, called(name)])
    }
    const preferences = await service.api('PUT', '/api/user/preferences', {
      token: service.admin.token,
      body: `{"notifications":{"${name}":{}}}`,
    })
    expect([preferences.status, JSON.stringify(preferences.body)]).toEqual([422, called(name)])
    for (const path of [`/api/e/${name}`, `/api/sys/entities/name/${name}`])
      expect((await service.api('GET', path, { token: service.admin.token })).status).toBe(404)
  })

  it('is no field in a hook', async () => {
    const table = {
      name: 'hooked',
      table_fields: [{ name: 'text', type: 'text' }],
      automations: [{ kind: 'before_create', script: '$data.toString = 1' }],
    }
    await service.api('POST', '/api/sys/entities', { token: service.admin.token, body: table })
    const made = await service.api('POST', '/api/e/hooked', { token: service.admin.token, body: { text: 'a' } })
    expect([made.status, Object.keys(made.body.errors ?? {})]).toEqual([422, ['toString']])
  })
})

it('a body with a million lists is refused everywhere, and before it is parsed where nobody signed in', async () => {
  const lists = `[${Array(1_250_000).fill('[]').join(',')}]`
  const open = await service.api('POST', '/api/login-local', { body: lists })
  expect([open.status, open.body.message]).toEqual([413, expect.stringContaining('16 KB')])
  const { token } = service.admin
  for (const path of ['/api/e/notes', '/api/sys/incoming_messages'])
    expect((await service.api('POST', path, { token, body: `{"payload":{"rows":${lists}}}` })).status).toBe(422)
  const source = await service.api('POST', '/api/sys/inbound-sources', { token, body: { name: 'other' } })
  const sent = await service.api('POST', `/api/in/${source.body.data.token}`, {
    body: `{"rows":${lists}}`,
    headers: { 'content-type': 'application/json' },
  })
  expect(sent.status).toBe(422)
  expect((await service.api('GET', '/api/sys/incoming_messages', { token })).body.meta.total).toBe(0)
})

describe('a text field', () => {
  it.each([
    '',
    '\u0000',
    '𝕏 💥 עברית',
    '</script><script>',
    "'; DROP TABLE notes; --",
    '{{x}}',
    '#\u0001#',
    '\u{10FFFF}',
  ])('stores %j unchanged', async (text) => {
    const made = await post(JSON.stringify({ text }))
    expect([made.status, made.body.data.data.text]).toEqual([201, text])
    await service.api('DELETE', `/api/e/notes/${made.body.data.id}`, { token: service.admin.token })
  })
})

it('an unknown address answers 404 in the envelope', async () => {
  for (const [method, path] of [
    ['GET', '/api/nothing'],
    ['DELETE', '/api/nothing/7'],
    ['POST', '/api/health/7'],
  ] as const) {
    const { status, body } = await service.api(method, path, { token: service.admin.token })
    expect([status, body]).toEqual([
      404,
      { success: false, code: 'endpoint_not_found', message: 'The address was not found.' },
    ])
  }
})

it('a broken query string never causes a server error', async () => {
  for (const query of ['?page=%', '?page=%ff', '?%zz=1', '?page=1&page=2', '?page[]=1', `?x=${'y'.repeat(5000)}`]) {
    const { status } = await service.api('GET', `/api/e/notes${query}`, { token: service.admin.token })
    expect([200, 400, 422]).toContain(status)
  }
})

const sendBytes = (body: Buffer): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(
      `${service.url}/api/e/notes`,
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${service.admin.token}`,
          'content-type': 'application/json',
          'content-length': body.length,
        },
      },
      (answer) => {
        answer.resume()
        answer.on('end', () => resolve(answer.statusCode ?? 0))
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
