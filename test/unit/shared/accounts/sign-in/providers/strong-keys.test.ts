import { describe, expect, it } from 'vitest'
import { strongKeys } from '../../../../../../shared/accounts/sign-in/providers/strong-keys.ts'

const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64url')
const modulus = base64(`80${'00'.repeat(254)}01`)
const rsa = (more: object = {}) => ({ kty: 'RSA', n: modulus, e: 'AQAB', ...more })
const keptOf = (key: unknown) => (strongKeys({ keys: [key] }) as { keys: unknown[] }).keys.length

describe('of the keys of a provider', () => {
  it.each([
    ['65537', rsa()],
    ['65537 with a zero in front', rsa({ e: base64('00010001') })],
    ['the largest exponent', rsa({ e: base64('ff'.repeat(32)) })],
    ['a key on a curve', { kty: 'EC', crv: 'P-256', x: 'a', y: 'b' }],
    ['what is no key at all, which no token finds', 'key'],
  ])('%s stays', (_, key) => {
    expect(keptOf(key)).toBe(1)
  })

  it.each([
    ['1', rsa({ e: 'AQ' })],
    ['1 with zeros in front', rsa({ e: base64('000001') })],
    ['0', rsa({ e: base64('00') })],
    ['3', rsa({ e: 'Aw' })],
    ['an even exponent', rsa({ e: base64('010002') })],
    ['an exponent of 257 bits', rsa({ e: base64(`01${'00'.repeat(31)}01`) })],
    ['no exponent', { kty: 'RSA', n: modulus }],
    ['an exponent that is a number', rsa({ e: 65_537 })],
    ['2,047 bits', rsa({ n: base64('7f'.repeat(256)) })],
    ['zeros that make a short modulus long', rsa({ n: base64(`${'00'.repeat(200)}${'ff'.repeat(128)}`) })],
    ['no modulus', { kty: 'RSA', e: 'AQAB' }],
  ])('RSA with %s goes', (_, key) => {
    expect(keptOf(key)).toBe(0)
  })

  it.each([undefined, null, 'keys', [], {}, { keys: 'all' }])('%j is no key set, and stays as it is', (given) => {
    expect(strongKeys(given)).toBe(given)
  })
})
