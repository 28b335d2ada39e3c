import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { HttpEvent } from '../../../../../../shared/platform/http/routing/http-event.ts'

vi.stubEnv('TABLE_NAME', 'test')
vi.stubEnv('PUBLIC_URL', 'https://desk.example.com')
vi.stubEnv('APP_URL', 'https://app.example.com/desk')
afterAll(() => vi.unstubAllEnvs())

let cookie: typeof import('../../../../../../shared/platform/http/routing/session-cookie.ts')
beforeAll(async () => {
  cookie = await import('../../../../../../shared/platform/http/routing/session-cookie.ts')
})

const request = (headers: HttpEvent['headers'], cookies: readonly string[] = ['a=b', '__Host-session=1|x']) =>
  ({ headers, cookies }) as unknown as HttpEvent

describe('the session cookie of a service with https', () => {
  it('is bound to its host and to https', () => {
    expect(cookie.sessionCookie({ token: '1|x' })['set-cookie']).toBe(
      '__Host-session=1|x; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure',
    )
    expect(cookie.sessionCookie(undefined)['set-cookie']).toMatch(/^__Host-session=; .*Max-Age=0/)
  })

  it('holds the own token beside the one of somebody else', () => {
    const session = { token: '1|x', ownToken: '2|y' }
    const [text = ''] = cookie.sessionCookie(session)['set-cookie'].split(';')
    expect(cookie.readSessionCookie([text])).toEqual(session)
  })

  it('counts as a bearer token for the app, under its own name only, and after a token that is given', () => {
    const app = { 'x-requested-by': 'app' }
    const read = (event: HttpEvent) => cookie.withSessionToken(event).headers.authorization
    expect(read(request(app))).toBe('Bearer 1|x')
    expect(read(request({}))).toBeUndefined()
    expect(read(request(app, ['session=1|x']))).toBeUndefined()
    expect(read(request({ ...app, authorization: 'Bearer 2|y' }))).toBe('Bearer 2|y')
  })
})

describe('a page of a browser', () => {
  const host = 'x1.execute-api.test'
  const isOwn = (headers: HttpEvent['headers']): boolean => {
    const event = request({ host, 'x-requested-by': 'app', ...headers })
    const counts = cookie.withSessionToken(event).headers.authorization !== undefined
    let mayBegin = true
    try {
      cookie.refuseOtherPages(event)
    } catch {
      mayBegin = false
    }
    expect(mayBegin).toBe(counts)
    return counts
  }

  it.each([
    [{}],
    [{ 'sec-fetch-site': 'same-origin' }],
    [{ 'sec-fetch-site': 'none' }],
    [{ origin: 'https://x1.execute-api.test' }],
    [{ origin: 'https://x1.execute-api.test:443' }],
    [{ origin: 'https://desk.example.com' }],
    [{ origin: 'https://app.example.com' }],
  ])('is one of the service: %j', (headers) => {
    expect(isOwn(headers)).toBe(true)
  })

  it.each([
    [{ origin: 'null' }],
    [{ origin: '' }],
    [{ origin: 'file://' }],
    [{ origin: 'https://desk.example.com.evil.example' }],
    [{ origin: 'https://evil-desk.example.com' }],
    [{ origin: 'https://desk.example.com:8443' }],
    [{ origin: 'https://desk.example.com@evil.example' }],
    [{ origin: 'https://desk.example.com', 'sec-fetch-site': 'same-site' }],
    [{ origin: 'https://x1.execute-api.test', 'sec-fetch-site': 'cross-site' }],
  ])('is one of somebody else: %j', (headers) => {
    expect(isOwn(headers)).toBe(false)
  })
})
