import { get, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scriptedReceiver } from '../../make/services/servers/scripted-receiver.ts'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ log: () => {} })
})
afterAll(() => service?.stop())
beforeEach(() => service.cloud.outbox.clear())

const outbox = (path = '', options: RequestInit = {}) => fetch(`${service.url}/_local/outbox${path}`, options)
const listed = async (query = ''): Promise<any> => (await outbox(query)).json()

let people = 0
const invite = async () => {
  const body = { email: `person-${(people += 1)}@acme.test`, roles: ['user'] }
  expect((await service.api('POST', '/api/tenant/invite', { token: service.admin.token, body })).status).toBe(201)
  await service.cloud.idle()
}

describe('a mail of an account', () => {
  beforeEach(invite)

  it('is in the outbox, though nobody set a mail server, and its link works', async () => {
    const { data, meta } = await listed()
    expect(data).toMatchObject([
      {
        id: expect.any(Number),
        at: expect.any(String),
        type: 'mail',
        provider: 'smtp',
        from: expect.stringContaining('service@local.test'),
        to: [expect.stringMatching(/^person-\d+@acme\.test$/)],
        subject: expect.any(String),
        text: expect.stringContaining('http'),
        html: expect.stringContaining('<a '),
        source: expect.stringContaining('MIME-Version: 1.0'),
        meta: { envelope_from: 'service@local.test' },
      },
    ])
    expect(meta).toEqual({ total: 1, counts: { mail: 1, sms: 0, messenger: 0, webhook: 0, stream: 0, event: 0 } })
  })

  it('is shown alone, as its source, and as a document that runs nothing and asks nobody', async () => {
    const [mail] = (await listed()).data
    expect((await (await outbox(`/${mail.id}`)).json()) as object).toEqual({ data: mail })
    const source = await outbox(`/${mail.id}/source`)
    expect([source.headers.get('content-type'), await source.text()]).toEqual([
      'text/plain; charset=utf-8',
      mail.source,
    ])
    const html = await outbox(`/${mail.id}/html`)
    expect(await html.text()).toContain(mail.html)
    const policy = html.headers.get('content-security-policy')
    expect(policy).toMatch(/^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'/)
    expect(policy).not.toMatch(/allow-scripts|allow-same-origin|script-src|https?:/)
  })

  it('is deleted alone, and with all others', async () => {
    const [mail] = (await listed()).data
    expect((await outbox(`/${mail.id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await outbox(`/${mail.id}`, { method: 'DELETE' })).status).toBe(404)
    expect((await outbox(`/${mail.id}`)).status).toBe(404)
    await invite()
    expect((await listed()).data).toHaveLength(1)
    expect((await outbox('', { method: 'DELETE' })).status).toBe(204)
    expect((await listed()).data).toEqual([])
  })

  it('is found by type, recipient and words; the list says when nothing changed', async () => {
    const total = async (query: string) => (await listed(query)).meta.total
    expect([await total('?type=mail&to=person-'), await total('?type=sms'), await total('?q=nothing-like-it')]).toEqual(
      [1, 0, 0],
    )
    const [short] = (await listed('?summary=true')).data
    expect(Object.keys(short)).toEqual(['id', 'at', 'type', 'to', 'from', 'subject', 'text', 'meta'])
    const etag = (await outbox()).headers.get('etag') as string
    expect((await outbox('', { headers: { 'if-none-match': etag } })).status).toBe(304)
    service.cloud.outbox.clear()
    expect((await outbox('', { headers: { 'if-none-match': etag } })).status).toBe(200)
    expect((await outbox('?type=fax')).status).toBe(422)
    expect((await outbox('?limit=0')).status).toBe(422)
  })
})

describe('a webhook', () => {
  it('is in the outbox with its address, its body and what the receiver answered, without its secrets', async () => {
    const receiver = await scriptedReceiver((n) => ({ status: n === 1 ? 503 : 204 }))
    const made = await service.api('POST', '/api/sys/channels', {
      token: service.admin.token,
      body: {
        name: 'crm',
        type: 'webhook',
        config: { url: `${receiver.url}/hook`, auth: { type: 'bearer', token: 'the token of the crm' } },
      },
    })
    const test = () =>
      service.api('POST', `/api/sys/channels/${made.body.data.id}/test`, { token: service.admin.token, body: {} })
    await test()
    await test()
    await receiver.close()
    await test()
    const requests = async () => (await listed('?type=webhook')).data
    await expect.poll(async () => (await requests()).length).toBe(3)
    const data = await requests()
    expect(data.map(({ meta }: any) => meta.status ?? meta.error)).toEqual(['ECONNREFUSED', 204, 503])
    expect(data[1]).toMatchObject({
      provider: 'http',
      to: [`${receiver.url}/hook`],
      subject: 'channel.test',
      text: receiver.received[1]?.body,
      function: expect.stringMatching(/channels/i),
    })
    expect(data[1].source).toMatch(/^POST \/hook\n[^]*authorization: \*{8}[^]*webhook-id: msg_/)
    expect(JSON.stringify(data)).not.toContain('the token of the crm')
  })
})

describe('the page', () => {
  it('is for browsers, with files of this service only', async () => {
    const page = await outbox('', { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } })
    expect([page.status, page.headers.get('content-type'), page.headers.get('vary')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'accept',
    ])
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'/,
    )
    const html = await page.text()
    const files = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path)
    expect(files).toEqual(['/_local/outbox/page.css', '/_local/outbox/page.js'])
    for (const path of files) expect((await fetch(service.url + path)).status).toBe(200)
    expect(html).not.toMatch(/<script>|style=|https?:\/\/(?!www\.w3\.org|localhost)/)
  })

  it('answers what is asked in another way with an error', async () => {
    expect((await outbox('', { method: 'POST' })).status).toBe(405)
    expect((await outbox('/1', { method: 'PUT' })).status).toBe(405)
    expect((await outbox('/1/html')).status).toBe(404)
    expect((await outbox('/../../package.json')).status).toBe(404)
    expect((await fetch(`${service.url}/_local/else`)).status).toBe(404)
    expect((await outbox('', { method: 'HEAD' })).status).toBe(200)
  })

  it.each(['attacker.test', 'localhost.attacker.test', '127.0.0.1.nip.io:3000'])(
    'is not shown under the name %s, which somebody may have pointed to this machine',
    async (host) => {
      const answer = await withHost(host)
      expect([answer.status, answer.body]).toEqual([403, expect.stringContaining('"code":"forbidden"')])
    },
  )

  it.each(['mailbox', 'messenger', 'start', 'outbox'])(
    'answers other names before it reads a body, also at /_local/%s',
    async (page) => {
      const { hostname, port } = new URL(service.url)
      const head = `POST /_local/${page} HTTP/1.1\r\nhost: evil.example\r\ncontent-type: application/json\r\n`
      const answer = await new Promise<string>((resolve, reject) => {
        // The body is announced and never sent.
        const socket = connect(Number(port), hostname, () => socket.write(`${head}content-length: 1000000\r\n\r\n`))
        socket.once('data', (bytes) => {
          resolve(String(bytes))
          socket.destroy()
        })
        socket.once('error', reject)
      })
      expect(answer).toMatch(/^HTTP\/1\.1 403 /)
      expect(answer).toContain('"code":"forbidden"')
    },
  )

  it('lets no other origin read or delete', async () => {
    const preflight = await outbox('', {
      method: 'OPTIONS',
      headers: { origin: 'https://attacker.test', 'access-control-request-method': 'DELETE' },
    })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([405, null])
    const read = await outbox('', { headers: { origin: 'https://attacker.test' } })
    expect(read.headers.get('access-control-allow-origin')).toBeNull()
  })
})

/** fetch sets the host itself. */
const withHost = (host: string) =>
  new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: string }>((resolve, reject) => {
    get(`${service.url}/_local/outbox`, { headers: { host } }, async (answer) =>
      resolve({ status: answer.statusCode, headers: answer.headers, body: await readText(answer) }),
    ).on('error', reject)
  })
