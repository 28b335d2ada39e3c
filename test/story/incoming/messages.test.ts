import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { upload } from '../../make/builders/records/uploads.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

const path = '/api/sys/incoming_messages'
const sourcesPath = '/api/sys/inbound-sources'
let service: TestService

const api = (method: string, address: string, body?: unknown, token = service.admin.token) =>
  service.api(method, address, { token, body })
const send = async (body: unknown, token?: string) => (await api('POST', path, body, token)).body.data

beforeAll(async () => {
  service = await sharedService()
})
afterAll(() => service.stop())

describe('messages of the API', () => {
  it('stores what is sent, and lists it newest first', async () => {
    const first = await api('POST', path, {
      from_name: 'Ada',
      from_email: 'Ada@Example.com',
      subject: 'Printer jam',
      body: 'Floor 2',
      payload: { priority: '3' },
    })
    expect(first.status).toBe(201)
    expect(first.body.data).toMatchObject({
      channel: 'api',
      channel_id: null,
      from_name: 'Ada',
      from_email: 'ada@example.com',
      from_id: null,
      subject: 'Printer jam',
      body: 'Floor 2',
      payload: { priority: '3' },
      attachments: [],
      is_processed: false,
      records: [],
      reply_to: null,
      errors: [],
    })
    const second = await send({ body: 'later', from_id: 77 })
    expect(second).toMatchObject({ from_id: '77', payload: { body: 'later', from_id: '77' } })
    const list = await api('GET', `${path}?channel=api&is_processed=false`)
    expect(list.body.data.slice(0, 2).map(({ id }: { id: number }) => id)).toEqual([second.id, first.body.data.id])
    expect(list.body.meta.total).toBe(list.body.data.length)
    expect((await api('GET', `${path}/${second.id}`)).body.data).toMatchObject({ id: second.id, body: 'later' })
    expect((await api('GET', `${path}?channel=email`)).body.data).toEqual([])
    expect((await api('GET', `${path}?is_processed=true`)).body.data).toEqual([])
  })

  it('keeps a message of several hundred kilobytes whole, in lists as well', async () => {
    const payload = {
      rows: Array.from({ length: 4000 }, (_, n) => `${n} ${Math.sin(n)} ${Math.cos(n)} ${Math.tan(n)}`),
    }
    const { id } = await send({ subject: 'large', payload })
    expect((await api('GET', `${path}/${id}`)).body.data.payload).toEqual(payload)
    const listed = (await api('GET', `${path}?per_page=1`)).body.data[0]
    expect(listed).toMatchObject({ id, payload })
  })

  it('takes attachments that were uploaded, and keeps them', async () => {
    const file = await upload(service, {
      name: 'jam.txt',
      type: 'text/plain',
      content: Buffer.from('paper everywhere'),
    })
    const { id, attachments } = await send({ body: 'see file', attachments: [file] })
    expect(attachments).toEqual([{ name: 'jam.txt', content_type: 'text/plain', size: 16, path: file }])
    expect((await api('GET', `${path}/${id}`)).body.data.attachments).toEqual(attachments)
    const download = `/api/files?path=${encodeURIComponent(file)}`
    const reader = await userWith(service, ['incoming_messages.read'])
    const opened = await api('GET', download, undefined, reader.token)
    expect(await (await fetch(opened.body.data.url)).text()).toBe('paper everywhere')
    expect((await api('GET', download, undefined, (await userWith(service, [])).token)).status).toBe(404)
    const refused = await api('POST', path, { attachments: ['files/1/aaaaaaaaaaaaaaaaaaaaaaaa/x.txt'] })
    expect(refused.status).toBe(422)
    expect(refused.body.errors.attachments).toHaveLength(1)
  })

  it('refuses what it does not know, and people without the permission', async () => {
    const wrong = await api('POST', path, { sujbect: 'x' })
    expect(wrong).toMatchObject({ status: 422, body: { errors: { sujbect: [expect.stringContaining('subject')] } } })
    const user = await userWith(service, [])
    expect((await api('POST', path, { body: 'x' }, user.token)).status).toBe(403)
    const sender = await userWith(service, ['incoming_messages.create'])
    expect((await api('POST', path, { body: 'x' }, sender.token)).status).toBe(201)
  })

  it('shows people without the permission only what they sent themselves', async () => {
    const user = await userWith(service, [])
    const email = (await api('GET', '/api/user', undefined, user.token)).body.data.email
    const own = await send({ from_email: email, subject: 'mine' })
    const foreign = await send({ from_email: 'somebody@else.test', subject: 'theirs' })
    const list = await api('GET', path, undefined, user.token)
    expect(list.body.data.map(({ id }: { id: number }) => id)).toEqual([own.id])
    expect(list.body.meta.total).toBe(1)
    expect((await api('GET', `${path}/${own.id}`, undefined, user.token)).status).toBe(200)
    expect((await api('GET', `${path}/${foreign.id}`, undefined, user.token)).status).toBe(404)
    const reader = await userWith(service, ['incoming_messages.read'])
    expect((await api('GET', `${path}/${foreign.id}`, undefined, reader.token)).status).toBe(200)
    const stranger = await otherTenant(service)
    expect((await api('GET', `${path}/${own.id}`, undefined, stranger.token)).status).toBe(404)
  })
})

describe('inbound sources', () => {
  const post = (url: string, body: string, headers: Record<string, string> = {}) =>
    fetch(`${service.url}${new URL(url).pathname}`, { method: 'POST', body, headers })
  const newest = async () => (await api('GET', `${path}?per_page=1`)).body.data[0]

  it('store whole requests of whoever knows the address', async () => {
    const { body } = await api('POST', sourcesPath, { name: 'Monitoring' })
    const { id, token, url, hmac } = body.data
    expect({ hmac, token: token.length }).toEqual({ hmac: null, token: 43 })
    expect(url).toMatch(new RegExp(`/api/in/${token}$`))
    const answer = await post(url, '{"host":"db1","checks":[{"state":"down"}]}', { 'content-type': 'application/json' })
    expect({ status: answer.status, text: await answer.text() }).toEqual({ status: 200, text: '' })
    expect(await newest()).toMatchObject({
      channel: 'api',
      channel_id: id,
      from_name: 'Monitoring',
      body: '',
      payload: { host: 'db1', checks: [{ state: 'down' }] },
    })
    await post(url, 'a=1&b=2&b=3', { 'content-type': 'application/x-www-form-urlencoded' })
    expect((await newest()).payload).toEqual({ a: '1', b: ['2', '3'] })
    await post(url, 'plain words', { 'content-type': 'text/plain' })
    expect((await newest()).payload).toEqual({ text: 'plain words' })
    expect((await post(url, '{broken', { 'content-type': 'application/json' })).status).toBe(400)
    expect((await api('GET', `${sourcesPath}/${id}`)).body.data).not.toHaveProperty('token')
  })

  it('check signatures of the Standard Webhooks scheme, and take an id once', async () => {
    const key = Buffer.alloc(32, 7)
    const hmac = { scheme: 'standard-webhooks', secret: `whsec_${key.toString('base64')}` }
    const { url } = (await api('POST', sourcesPath, { name: 'Signed', hmac })).body.data
    const headersOf = (id: string, body: string, seconds = Math.floor(Date.now() / 1000)) => ({
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`,
    })
    const before = (await newest()).id
    expect((await post(url, '{}')).status).toBe(401)
    expect((await post(url, '{"n":2}', headersOf('a', '{"n":1}'))).status).toBe(401)
    expect((await post(url, '{}', headersOf('a', '{}', 1_600_000_000))).status).toBe(401)
    expect((await newest()).id).toBe(before)
    for (let round = 0; round < 3; round += 1)
      expect((await post(url, '{"n":1}', headersOf('a', '{"n":1}'))).status).toBe(200)
    const { id, payload } = await newest()
    expect({ id, payload }).toEqual({ id: expect.any(Number), payload: { n: 1 } })
    const list = (await api('GET', `${path}?per_page=10`)).body.data
    expect(list.filter((one: { payload: { n?: number } }) => one.payload.n === 1)).toHaveLength(1)
  })

  it('check signatures in a header, and keep their secret', async () => {
    const hmac = { scheme: 'header', header: 'X-Hub-Signature-256', prefix: 'sha256=', secret: 'a shared secret' }
    const created = (await api('POST', sourcesPath, { name: 'GitHub', hmac })).body.data
    expect(created.hmac).toEqual({
      scheme: 'header',
      header: 'x-hub-signature-256',
      prefix: 'sha256=',
      algorithm: 'sha256',
      encoding: 'hex',
      secret: '********',
    })
    const { token, url, ...read } = created
    const changed = await api('PUT', `${sourcesPath}/${created.id}`, { ...read, name: 'GitHub issues' })
    expect(changed.status).toBe(200)
    const signed = (body: string) => ({
      'x-hub-signature-256': `sha256=${createHmac('sha256', 'a shared secret').update(body).digest('hex')}`,
    })
    expect((await post(url, '{"action":"opened"}', signed('{"action":"opened"}'))).status).toBe(200)
    expect((await post(url, '{"action":"opened"}', signed('other'))).status).toBe(401)
    expect(token).toHaveLength(43)
  })

  it('end with their token, when disabled, and with a new token', async () => {
    const { id, url } = (await api('POST', sourcesPath, { name: 'Short-lived' })).body.data
    expect((await post(url, '{}')).status).toBe(200)
    await api('PUT', `${sourcesPath}/${id}`, { is_active: false })
    expect((await post(url, '{}')).status).toBe(404)
    const renewed = (await api('PUT', `${sourcesPath}/${id}`, { is_active: true, new_token: true })).body.data
    expect((await post(url, '{}')).status).toBe(404)
    expect((await post(renewed.url, '{}')).status).toBe(200)
    expect((await api('DELETE', `${sourcesPath}/${id}`)).status).toBe(204)
    expect((await post(renewed.url, '{}')).status).toBe(404)
    expect((await api('POST', sourcesPath, { name: 'Signed' })).status).toBe(409)
  })
})

describe('messages that are as large as an answer', () => {
  it('are refused when their escapes make them larger, whoever sends them', async () => {
    const { url } = (await api('POST', sourcesPath, { name: 'Large' })).body.data
    const post = async (body: string, type: string) =>
      (
        await fetch(`${service.url}${new URL(url).pathname}`, {
          method: 'POST',
          body,
          headers: { 'content-type': type },
        })
      ).status
    expect(await api('POST', path, { body: '\0'.repeat(600_000) })).toMatchObject({ status: 413 })
    expect(await api('POST', path, { payload: { quotes: '"'.repeat(1_900_000) } })).toMatchObject({ status: 413 })
    expect(await post(`a=${'%00'.repeat(1_300_000)}`, 'application/x-www-form-urlencoded')).toBe(413)
    expect(await post('\0'.repeat(600_000), 'text/plain')).toBe(200)
    expect((await api('GET', `${path}?per_page=1`)).status).toBe(200)
  })

  it('end a page that is read by cursor early', async () => {
    const sent = []
    for (const word of ['a', 'b', 'c', 'd'])
      sent.push((await send({ body: word, payload: { text: word.repeat(1_500_000) } })).id)
    await send({ body: 'newest' })
    expect(await api('GET', `${path}?per_page=5`)).toMatchObject({ status: 422, body: { code: 'page_too_large' } })
    const seen = []
    let next = (await api('GET', `${path}?per_page=1`)).body.meta.next_cursor
    while (next && seen.length < sent.length) {
      const { status, body } = await api('GET', `${path}?per_page=4&cursor=${encodeURIComponent(next)}`)
      expect({ status, isShort: body.data.length < 4 }).toEqual({ status: 200, isShort: true })
      seen.push(...body.data.map(({ id }: { id: number }) => id))
      next = body.meta.next_cursor
    }
    expect(seen.slice(0, 4)).toEqual(sent.toReversed())
  })
})
