import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { beginAtProvider, endAtProvider } from '../../../web/session/at-provider.ts'
import { ownPath, readSignInSearch } from '../../../web/session/sign-in-search.ts'

describe('where a sign-in leads', () => {
  it.each(['/', '/e/requests/1', '/e/requests?sort=-id&view=3#notes', '/portal/requests/7', '/e/r%C3%A4ume'])(
    'is %s, a path of the app',
    (to) => {
      expect(ownPath(to)).toBe(to)
    },
  )

  it.each([
    'https://evil.example',
    'HTTPS://evil.example/',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/%2e//evil.example',
    '/%2F/evil.example',
    '/%2f%2fevil.example',
    '/%5Cevil.example',
    '//user@evil.example',
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'e/requests',
    '',
    42,
    ['/e/requests'],
    null,
    undefined,
  ])('is not %j', (to) => {
    expect(ownPath(to)).toBeUndefined()
    // The router adds to what an address holds, so what is refused must stand there as undefined.
    expect({ to, ...readSignInSearch({ to }) }.to).toBeUndefined()
  })

  it('takes texts only of everything else', () => {
    expect(readSignInSearch({ to: '/', code: 'x', error: {}, tenant: ['a'] })).toEqual({
      to: '/',
      code: 'x',
      error: undefined,
      tenant: undefined,
    })
  })
})

describe('a code that comes back from a provider', () => {
  beforeEach(() => {
    const stored = new Map<string, string>()
    vi.stubGlobal('localStorage', {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, value: string) => void stored.set(name, value),
      removeItem: (name: string) => void stored.delete(name),
    })
    vi.useFakeTimers({ now: Date.parse('2026-11-20T08:00:00Z') })
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('ends a sign-in that this browser began, once and within eleven minutes', () => {
    expect(endAtProvider()).toBe(false)
    beginAtProvider()
    expect([endAtProvider(), endAtProvider()]).toEqual([true, false])
    beginAtProvider()
    vi.advanceTimersByTime(11 * 60_000)
    expect(endAtProvider()).toBe(false)
  })
})
