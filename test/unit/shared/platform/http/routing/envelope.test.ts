import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Page } from '../../../../../../shared/platform/http/routing/envelope.ts'

vi.stubEnv('TABLE_NAME', 'test')
vi.stubEnv('PUBLIC_URL', 'https://api.example.com//')
afterAll(() => vi.unstubAllEnvs())

let wrap: typeof import('../../../../../../shared/platform/http/routing/envelope.ts').wrap
let publicUrl: typeof import('../../../../../../shared/platform/http/routing/envelope.ts').publicUrl
beforeAll(
  async () => ({ wrap, publicUrl } = await import('../../../../../../shared/platform/http/routing/envelope.ts')),
)

const here = { path: '/api/e/requests', query: {} }
const of = (page: Partial<Page<number>>): Page<number> => ({
  items: [1],
  total: 1,
  perPage: 25,
  page: 1,
  offset: 0,
  nextCursor: null,
  ...page,
})
interface Wrapped {
  readonly data: unknown
  readonly meta: Record<string, unknown>
  readonly links: Record<'first' | 'last' | 'prev' | 'next', string | null>
}
const paged = (
  page: Partial<Page<number>>,
  address: { path: string; query: Record<string, string | undefined> } = here,
) => wrap('page', of(page), address) as Wrapped

describe('the envelope', () => {
  it('holds the payload in data', () => {
    expect(wrap('data', { id: 1 }, here)).toEqual({ success: true, data: { id: 1 }, message: 'OK' })
  })

  it('has data: null when there is no payload, so that data always exists', () => {
    expect(wrap('data', undefined, here)).toEqual({ success: true, data: null, message: 'OK' })
  })

  it('holds a login result at the top level and in data', () => {
    const login = { token: '1|s', user: { id: 1 }, tenant: { slug: 'demo' } }
    expect(wrap('login', login, here)).toEqual({ success: true, ...login, data: login, message: 'OK' })
  })

  it('leaves a raw answer alone', () => {
    expect(wrap('raw', '<p>', here)).toBe('<p>')
  })
})

describe('a page', () => {
  const url = 'https://api.example.com/api/e/requests'

  it.each<[string, Partial<Page<number>>, object, object]>([
    [
      'first of many',
      { items: [5, 4], total: 5, perPage: 2, page: 1, offset: 0, nextCursor: 'c' },
      { current_page: 1, from: 1, to: 2, per_page: 2, last_page: 3, total: 5, next_cursor: 'c' },
      { prev: null, next: `${url}?page=2&per_page=2` },
    ],
    [
      'last of many',
      { items: [1], total: 5, perPage: 2, page: 3, offset: 4 },
      { current_page: 3, from: 5, to: 5, last_page: 3, next_cursor: null },
      { prev: `${url}?page=2&per_page=2`, next: null },
    ],
    ['exactly full', { items: [1, 2], total: 4, perPage: 2, page: 2, offset: 2 }, { last_page: 2 }, { next: null }],
    [
      'empty list',
      { items: [], total: 0 },
      { current_page: 1, from: null, to: null, last_page: 1, total: 0 },
      { prev: null, next: null },
    ],
    [
      'page past the end',
      { items: [], total: 5, perPage: 2, page: 9, offset: 16 },
      { current_page: 9, from: null, to: null, last_page: 3 },
      { prev: `${url}?page=3&per_page=2`, next: null },
    ],
    [
      'page by cursor',
      { items: [1], total: 5, perPage: 2, page: null, offset: null, nextCursor: 'd' },
      { current_page: null, from: null, to: null, next_cursor: 'd' },
      { prev: null },
    ],
  ])('has its meta and links: %s', (_, page, meta, links) => {
    const wrapped = paged(page)
    expect(wrapped.data).toEqual(page.items)
    expect(wrapped.meta).toMatchObject(meta)
    expect(wrapped.links).toMatchObject(links)
    expect(wrapped.links.first).toBe(`${url}?page=1&per_page=${page.perPage ?? 25}`)
  })

  it('links with the rest of the query, without its page and per_page', () => {
    const { links } = paged(
      { total: 30 },
      { path: '/api/e/notes', query: { sort: '-id,&x', page: '9', per_page: '3', empty: undefined } },
    )
    expect(links.next).toBe('https://api.example.com/api/e/notes?sort=-id%2C%26x&page=2&per_page=25')
  })

  it('that is read by cursor links to the page of the next cursor', () => {
    const cursorQuery = { ...here, query: { sort: 'id', cursor: 'c1' } }
    expect(paged({ total: 60, page: 2, nextCursor: 'c2' }, cursorQuery).links).toMatchObject({
      prev: null,
      next: `${url}?sort=id&cursor=c2&per_page=25`,
    })
    expect(paged({ total: 60, page: 3, nextCursor: null }, cursorQuery).links).toMatchObject({ prev: null, next: null })
  })

  it('adds further members to meta', () => {
    expect(paged({ meta: { pending: [3] } }).meta.pending).toEqual([3])
  })
})

describe('the public address', () => {
  it('ends without a slash', () => {
    expect(publicUrl()).toBe('https://api.example.com')
  })
})
