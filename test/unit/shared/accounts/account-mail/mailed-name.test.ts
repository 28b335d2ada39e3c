import { describe, expect, it } from 'vitest'
import { mailedName, namesInMails } from '../../../../../shared/accounts/account-mail/draft-mail.ts'

describe('a name in a mail to strangers', () => {
  it.each([['Müller & Söhne GmbH & Co. KG'], ['Società Esempio S.p.A.'], ['株式会社サンプル'], ['Maersk A/S (No. 7)']])(
    'is as it is: %s',
    (name) => {
      expect(mailedName(name, 'acme')).toBe(name)
    },
  )

  it.each([
    ['Prize: https://evil.example/win now', 'Prize: now'],
    ['Call www.evil today', 'Call today'],
    ['Go to evil.example/win', 'Go to'],
    ['Write to win@evil.example', 'Write to'],
    ['evil。example wins', 'wins'],
    ['evil．example wins', 'wins'],
    ['win＠evil wins', 'wins'],
    ['ev\u200bil.exa\u00admple wins', 'wins'],
    ['evil.\u{fe0f}example wins', 'wins'],
    ['evil.xn--p1ai wins', 'wins'],
    ['192.0.2.1:8080 wins', 'wins'],
    ['https://evil.example', 'acme'],
  ])('has no address: %j', (name, shown) => {
    expect(mailedName(name, 'acme')).toBe(shown)
  })

  it('is one line without what cannot be seen', () => {
    expect(mailedName(' Acme\r\nBcc: all\u2028\u0000\u202eInc\t ', 'acme')).toBe('Acme Bcc: all Inc')
  })

  it('has 60 characters at most, and no half of one', () => {
    expect(mailedName('x'.repeat(60), 'acme')).toBe('x'.repeat(60))
    expect(mailedName('x'.repeat(61), 'acme')).toBe(`${'x'.repeat(59)}…`)
    expect(mailedName('😀'.repeat(61), 'acme')).toBe(`${'😀'.repeat(59)}…`)
  })
})

describe('the names of a company in mails', () => {
  const days = 86_400_000
  const now = Date.parse('2026-11-20T08:00:00.000Z')
  const names = (ageMs: number, more: object = {}) => {
    const created_at = new Date(now - ageMs).toISOString()
    const tenant = { id: 1, slug: 'book', name: 'Book.com', configVersion: 1, ...more }
    return namesInMails({ store: { get: async () => ({ created_at }) }, clock: { now: () => now } }, tenant)
  }

  it.each([
    ['is new', 30 * days - 1, {}, 'book', 'Ada'],
    ['is thirty days old', 30 * days, {}, 'Book.com', 'Ada ada.example'],
    ['has not proved its address', 300 * days, { awaitsVerification: true }, 'book', 'Ada'],
  ] as const)('when it %s', async (_when, ageMs, more, company, person) => {
    const shown = await names(ageMs, more)
    expect([shown.company, shown.person('Ada\nada.example')]).toEqual([company, person])
  })
})
