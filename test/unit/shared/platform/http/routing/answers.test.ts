import { beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { Accepted, Reply } from '../../../../../../shared/platform/http/routing/envelope.ts'
import { implementOpen } from '../../../../../../shared/platform/http/routing/implement.ts'
import { openRoute, send } from '../../../../../make/services/sample-endpoints.ts'

beforeEach(() => vi.clearAllMocks())

describe('an answer', () => {
  it('has the request id, and forbids caching and content sniffing', async () => {
    expect((await send(implementOpen(openRoute(z.string()), async () => 'x'))).headers).toEqual({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': 'request-9',
    })
  })

  it('has the headers of its route, which override the defaults', async () => {
    const reply = new Reply('x', { etag: '"5"', 'cache-control': 'public' })
    expect((await send(implementOpen(openRoute(z.string()), async () => reply))).headers).toMatchObject({
      etag: '"5"',
      'cache-control': 'public',
    })
  })

  it('is a 202 in the envelope when the work continues in the background, even for a raw route', async () => {
    const answered = await send(
      implementOpen(
        openRoute(z.string(), { shape: 'raw', contentType: 'text/csv' }),
        async () => new Accepted({ job_id: 7 }),
      ),
    )
    expect(answered.status).toBe(202)
    expect(answered.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answered.body).toEqual({ success: true, data: { job_id: 7 }, message: 'OK' })
  })

  it('has no body and no type when it is a 204', async () => {
    const answered = await send(implementOpen(openRoute(z.undefined(), { status: 204 }), async () => undefined))
    expect(answered.status).toBe(204)
    expect(answered.text).toBeUndefined()
    expect(answered.headers).not.toHaveProperty('content-type')
  })

  it('of a raw route is its text, or its JSON without the envelope', async () => {
    const page = openRoute(z.string(), { shape: 'raw', contentType: 'text/html; charset=utf-8' })
    expect(await send(implementOpen(page, async () => '<p>'))).toMatchObject({
      text: '<p>',
      headers: { 'content-type': 'text/html; charset=utf-8' },
    })
    const health = openRoute(z.object({ status: z.string() }), { shape: 'raw' })
    expect((await send(implementOpen(health, async () => ({ status: 'ok' })))).body).toEqual({ status: 'ok' })
  })

  it('links a page to the address of the request', async () => {
    const list = openRoute(z.int(), { shape: 'page', query: z.object({ sort: z.string() }) })
    const page = { items: [1], total: 3, perPage: 1, page: 1, offset: 0, nextCursor: null }
    const { body } = await send(
      implementOpen(list, async () => page),
      { rawPath: '/api/open', queryStringParameters: { sort: 'id' } },
    )
    expect(body.links.next).toBe('https://api.example.com/api/open?sort=id&page=2&per_page=1')
  })
})

it('a list that Lambda could not carry is refused, with the number of rows that fit', async () => {
  const list = openRoute(z.string(), { shape: 'page', query: z.object({}) })
  const items = Array.from({ length: 60 }, () => 'x\n'.repeat(50_000))
  const page = { items, total: 60, perPage: 60, page: 1, offset: 0, nextCursor: null }
  const { status, body } = await send(implementOpen(list, async () => page))
  expect([status, body.code]).toEqual([422, 'page_too_large'])
  expect(body.errors.per_page[0]).toMatch(/\d+ fit/)
})
