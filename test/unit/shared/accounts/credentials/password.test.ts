import { describe, expect, it } from 'vitest'
import { commonPasswords } from '../../../../../shared/accounts/credentials/common-passwords.ts'
import { isOwnName, passwordProblems } from '../../../../../shared/accounts/credentials/password-rules.ts'
import { hashPassword, verifyPassword } from '../../../../../shared/accounts/credentials/password.ts'
import { clock } from '../../../../../shared/kernel/time/clock.ts'
import { inEnglish } from '../../../../make/oracles/in-english.ts'

describe('a password', () => {
  it.each([
    ['1234567', 'The password must be at least 8 characters.'],
    ['😀😀😀😀', 'The password must be at least 8 characters.'],
    ['a1'.repeat(65), 'The password may not be greater than 128 characters.'],
    ['password', 'The password is too common.'],
    ['PassWord1', 'The password is too common.'],
    ['Qwertyuiop', 'The password is too common.'],
    ['zzzzzzzzzzzz', 'The password is too common.'],
  ])('is refused when it is %j', (password, problem) => {
    expect(inEnglish(passwordProblems(password))).toEqual([problem])
  })

  it.each(['brass gears 1843', 'a1'.repeat(64), '😀😁😂🤣😃😄😅😆', 'ünïcödé', 'Tr0ub4dor&3', '        x'])(
    'is allowed when it is %j',
    (password) => {
      expect(passwordProblems(password.padEnd(8, '!'))).toEqual([])
    },
  )

  it.each(['ada@example.com', 'ADA@example.com ', 'Ada Lovelace', 'adalovelace', 'ada.lovelace'])(
    'is recognised as the name or address of its owner: %j',
    (password) => {
      const owner = {
        name: 'Ada Lovelace',
        email: password.includes('.lovelace') ? 'ada.lovelace@example.com' : 'ada@example.com',
      }
      expect(isOwnName(password, owner)).toBe(true)
    },
  )

  it.each([undefined, null, 7, [], {}])('is not compared with a name that is %j', (name) => {
    expect(isOwnName('Ada Lovelace', { name, email: name })).toBe(false)
  })

  it('is compared with over a thousand common ones, all of which would otherwise be allowed', () => {
    expect(commonPasswords.size).toBeGreaterThan(1000)
    for (const common of commonPasswords) {
      expect([common, common.length >= 8, common === common.toLowerCase()]).toEqual([common, true, true])
    }
  })
})

describe('the hash of a password', () => {
  it('is an argon2id PHC string at the cost OWASP names, with a salt of its own', async () => {
    const [one, other] = await Promise.all([
      hashPassword(clock, 'brass gears 1843'),
      hashPassword(clock, 'brass gears 1843'),
    ])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(other).not.toBe(one)
    expect(await verifyPassword('brass gears 1843', one)).toBe(true)
    expect(await verifyPassword('brass gears 1844', one)).toBe(false)
  })

  // From the test suite of the reference implementation (P-H-C/phc-winner-argon2, test.c, version 19, Argon2id).
  it.each([
    ['password', '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc', true],
    ['password', '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4', true],
    ['password', '$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc', true],
    [
      'differentpassword',
      '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$C4TWUs9rDEvq7w3+J4umqA32aWKB1+DSiRuBfYxFj94',
      true,
    ],
    [
      'differentpassword',
      '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
      false,
    ],
  ])('of %j is verified with the cost it was made with: %s', async (password, hash, matches) => {
    expect(await verifyPassword(password, hash)).toBe(matches)
  })

  it('is the same for composed and decomposed letters', async () => {
    const hash = await hashPassword(clock, 'caf\u00e9 au lait')
    expect(await verifyPassword('cafe\u0301 au lait', hash)).toBe(true)
  })

  it('that does not exist matches nothing, but takes time to verify', async () => {
    const started = performance.now()
    expect(await verifyPassword('brass gears 1843', undefined)).toBe(false)
    expect(performance.now() - started).toBeGreaterThan(3)
  })

  it('that is malformed throws instead of not matching', async () => {
    await expect(verifyPassword('x', 'plain')).rejects.toThrow('not an argon2id PHC string')
  })
})
