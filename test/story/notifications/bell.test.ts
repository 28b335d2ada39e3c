import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clock } from '../../../shared/kernel/time/clock.ts'
import type { Notice } from '../../../shared/messages/bell/bell-row.ts'
import { ringBell } from '../../../shared/messages/bell/ring-bell.ts'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
let tenant: TestService['tenant']
const dayMs = 24 * 60 * 60 * 1000

interface Reader {
  readonly id: number
  readonly token: string
}
const reader = (): Promise<Reader> => userWith(service, [])

const read = (token: string, query = '', headers: Record<string, string> = {}) =>
  service.api('GET', `/api/notifications${query}`, { token, headers })
const titles = async (token: string, query = '') => (await read(token, query)).body.data.map(({ title }: any) => title)
const unread = async (token: string): Promise<number> => (await read(token, '?per_page=1')).body.meta.unread
const mark = (token: string, id: number) => service.api('POST', `/api/notifications/${id}/read`, { token })
const markAll = (token: string) => service.api('POST', '/api/notifications/read-all', { token })

const noticeTo = (userId: number, key: string, more: Partial<Notice> = {}): Notice => ({
  key,
  userId,
  title: key,
  text: 'Look',
  url: '/requests/42',
  category: 'message',
  createdAtMs: Date.now(),
  model: 'requests',
  recordId: 42,
  ...more,
})
const ring = (...notices: Notice[]) => ringBell({ store: service.store, clock }, tenant, notices)

beforeAll(async () => {
  service = await sharedService()
  tenant = service.tenant
})
afterAll(() => service?.stop())

describe('the bell', () => {
  it('lists what a user was notified of, newest first, and counts what is unread', async () => {
    const { id, token } = await reader()
    expect((await read(token)).body).toMatchObject({ data: [], meta: { total: 0, unread: 0, from: null } })
    const start = Date.now()
    await ring(...[1, 2, 3].map((n) => noticeTo(id, `n${n}`, { createdAtMs: start + n, url: n === 2 ? null : '/x' })))
    const { body } = await read(token)
    expect(body.data).toEqual(
      [3, 2, 1].map((n) => ({
        id: expect.any(Number),
        title: `n${n}`,
        text: 'Look',
        url: n === 2 ? null : '/x',
        category: 'message',
        model: 'requests',
        record_id: 42,
        is_read: false,
        created_at: new Date(start + n).toISOString(),
      })),
    )
    expect(body.meta).toMatchObject({ total: 3, unread: 3, next_cursor: null })

    const second = body.data[1]
    expect((await mark(token, second.id)).body.data).toEqual({ ...second, is_read: true })
    expect((await mark(token, second.id)).body.data).toEqual({ ...second, is_read: true })
    expect(await unread(token)).toBe(2)
    expect(await titles(token, '?unread=true')).toEqual(['n3', 'n1'])
    expect(await titles(token, '?unread=false')).toEqual(['n3', 'n2', 'n1'])
    expect((await read(token, '?unread=true')).body.meta).toMatchObject({ total: 2, unread: 2 })
  })

  it('is marked as read as a whole, and rings again afterwards', async () => {
    const { id, token } = await reader()
    await ring(noticeTo(id, 'old'), noticeTo(id, 'older', { createdAtMs: Date.now() - 3 * dayMs }))
    expect((await markAll(token)).body.data).toEqual({ marked: 2 })
    expect((await markAll(token)).body.data).toEqual({ marked: 0 })
    expect((await read(token, '?unread=true')).body).toMatchObject({ data: [], meta: { total: 0, unread: 0 } })
    // Asked for before the list was read, brought by a slow expansion.
    await ring(noticeTo(id, 'late', { createdAtMs: Date.now() - 60_000 }))
    expect(await titles(token, '?unread=true')).toEqual(['late'])
    expect(await unread(token)).toBe(1)
    const read1 = (await read(token)).body.data.map(({ title, is_read }: any) => [title, is_read])
    expect(read1).toEqual([
      ['old', true],
      ['late', false],
      ['older', true],
    ])
    expect((await markAll(token)).body.data).toEqual({ marked: 1 })
  })

  it('rings once under a key, however often and by how many it is rung', async () => {
    const { id, token } = await reader()
    const notices = Array.from({ length: 8 }, (_, n) =>
      noticeTo(id, `key ${n}`, { createdAtMs: 1000 * Math.floor(Date.now() / 1000) }),
    )
    await Promise.all([ring(...notices), ring(...notices.toReversed()), ring(...notices)])
    await ring(...notices)
    expect((await titles(token)).toSorted()).toEqual(notices.map(({ key }) => key))
    expect(await unread(token)).toBe(8)
    await markAll(token)
    await ring(...notices)
    expect(await unread(token)).toBe(0)
  })

  it('counts exactly while it rings and is read at the same time', async () => {
    const { id, token } = await reader()
    const work = Array.from({ length: 20 }, (_, n) => async () => {
      await ring(noticeTo(id, `r${n}`))
      if (n % 7 === 3) await markAll(token)
      else {
        const [first] = (await read(token, '?unread=true&per_page=1')).body.data
        if (first) await mark(token, first.id)
      }
    })
    await Promise.all(work.map((one) => one()))
    const all = (await read(token, '?per_page=100')).body
    const unreadRows = all.data.filter((one: any) => !one.is_read).length
    expect([all.meta.total, all.meta.unread, await titles(token, '?unread=true&per_page=100')]).toEqual([
      20,
      unreadRows,
      all.data.filter((one: any) => !one.is_read).map((one: any) => one.title),
    ])
  })

  it('is read page by page, by number and by cursor, over many days', async () => {
    const { id, token } = await reader()
    const now = Date.now()
    const notices = Array.from({ length: 60 }, (_, n) => noticeTo(id, `p${n}`, { createdAtMs: now - n * dayMs * 1.4 }))
    await ring(...notices)
    const expected = notices.map(({ title }) => title)
    expect(await titles(token, '?per_page=100')).toEqual(expected)
    for (const page of [1, 2, 3, 5, 9, 10])
      expect([page, await titles(token, `?per_page=7&page=${page}`)]).toEqual([
        page,
        expected.slice((page - 1) * 7, page * 7),
      ])
    const all = (await read(token, '?per_page=100')).body.data
    for (const one of all.filter((_: any, n: number) => n % 3 === 0)) await mark(token, one.id)
    const stillUnread = expected.filter((_, n) => n % 3 !== 0)
    for (const [query, list] of [
      ['', expected],
      ['&unread=true', stillUnread],
    ] as const) {
      const walked: string[] = []
      let cursor = ''
      do {
        const { body } = await read(token, `?per_page=7${query}${cursor}`)
        expect(body.meta).toMatchObject({ total: list.length, unread: stillUnread.length })
        walked.push(...body.data.map(({ title }: any) => title))
        cursor = body.meta.next_cursor ? `&cursor=${body.meta.next_cursor}` : ''
      } while (cursor)
      expect(walked).toEqual(list)
    }
    expect(await titles(token, '?per_page=7&page=3&unread=true')).toEqual(stillUnread.slice(14, 21))
    const { next_cursor } = (await read(token, '?per_page=7')).body.meta
    expect((await read(token, `?unread=true&cursor=${next_cursor}`)).body.code).toBe('invalid_cursor')
  })

  it('keeps notifications for 90 days, in the list and in the counts', async () => {
    const { id, token } = await reader()
    const at = (days: number) => Date.now() - days * dayMs
    await ring(...[0, 89, 90, 91, 200].map((days) => noticeTo(id, `${days} days`, { createdAtMs: at(days) })))
    expect(await titles(token)).toEqual(['0 days', '89 days', '90 days'])
    expect((await read(token)).body.meta).toMatchObject({ total: 3, unread: 3 })
    expect((await markAll(token)).body.data).toEqual({ marked: 3 })
    expect((await read(token)).body.meta).toMatchObject({ total: 3, unread: 0 })
  })

  it('cuts long texts, and drops an address that is too long', async () => {
    const { id, token } = await reader()
    await ring(noticeTo(id, 'long', { title: 'T'.repeat(300), text: 'x'.repeat(5000), url: `/${'u'.repeat(2000)}` }))
    const [one] = (await read(token)).body.data
    expect([one.title, one.text.length, one.url]).toEqual([`${'T'.repeat(199)}…`, 1000, null])
  })

  it('belongs to one user of one tenant', async () => {
    const [mine, other, elsewhere] = [await reader(), await reader(), await otherTenant(service)]
    await ring(noticeTo(mine.id, 'mine'))
    const [{ id }] = (await read(mine.token)).body.data
    for (const { token } of [other, elsewhere]) {
      expect(await titles(token)).toEqual([])
      expect((await mark(token, id)).status).toBe(404)
      expect((await markAll(token)).body.data).toEqual({ marked: 0 })
    }
    expect(await unread(mine.token)).toBe(1)
    expect((await service.api('GET', '/api/notifications')).status).toBe(401)
    expect((await read(mine.token, '?unread=yes')).status).toBe(422)
    expect((await mark(mine.token, 4711)).body.code).toBe('notification_not_found')
  })
})

describe('a poll', () => {
  const costOf = async (token: string, etag: string) => {
    await service.cloud.idle()
    service.cloud.recordCalls()
    const answer = await read(token, '', { 'if-none-match': etag })
    const { calls } = service.cloud.callsOf(answer.headers.get('apigw-requestid') as string)
    return { status: answer.status, body: answer.body, operations: calls.map(({ operation }) => operation) }
  }

  it('with the ETag of the last answer costs one read, together with the token, and answers 304', async () => {
    const { id, token } = await reader()
    await ring(noticeTo(id, 'first'))
    const etag = (await read(token)).headers.get('etag') as string
    const unchanged = { status: 304, body: undefined, operations: ['BatchGetItem'] }
    expect(await costOf(token, etag)).toEqual(unchanged)
    expect(await costOf(token, `"0", W/${etag}`)).toEqual(unchanged)

    await ring(noticeTo(id, 'second'))
    expect(await costOf(token, etag)).toMatchObject({ status: 200, operations: ['BatchGetItem', 'Query'] })
  })

  it('sees every change: a new notification, one that is read, and all of them', async () => {
    const { id, token } = await reader()
    const seen = new Set<string>()
    const look = async () => {
      const etag = (await read(token)).headers.get('etag') as string
      expect(seen.has(etag)).toBe(false)
      seen.add(etag)
    }
    await look()
    await ring(noticeTo(id, 'a'), noticeTo(id, 'b'))
    await look()
    await mark(token, (await read(token)).body.data[0].id)
    await look()
    await markAll(token)
    await look()
    const last = [...seen].at(-1) as string
    await markAll(token)
    expect((await read(token, '', { 'if-none-match': last })).status).toBe(304)
  })
})
