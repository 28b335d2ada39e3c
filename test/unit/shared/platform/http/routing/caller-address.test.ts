import { describe, expect, it } from 'vitest'
import { callerAddress } from '../../../../../../shared/platform/http/routing/caller-address.ts'

const event = (sourceIp: string, forwarded?: string) =>
  ({
    requestContext: { http: { sourceIp } },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as never

describe('the address of a caller', () => {
  const behind = callerAddress('130.176.0.0/16, 2600:9000::/28, 10.0.0.7')

  it('is who connected, whatever the headers say, without trusted proxies', () => {
    expect(callerAddress('')(event('203.0.113.9', '198.51.100.1'))).toBe('203.0.113.9')
    expect(behind(event('203.0.113.9', '198.51.100.1, 203.0.113.9'))).toBe('203.0.113.9')
  })

  it.each([
    ['130.176.1.1', '198.51.100.1', '198.51.100.1'],
    ['130.176.1.1', '198.51.100.1, 130.176.1.1', '198.51.100.1'],
    ['2600:9000:0:1::5', '2001:db8::1', '2001:db8::1'],
    ['10.0.0.7', '198.51.100.1, 130.176.9.9', '198.51.100.1'],
  ])('is behind the proxy %s, which forwards %s, the last that is no proxy', (source, forwarded, address) => {
    expect(behind(event(source, forwarded))).toBe(address)
  })

  it('is never what a caller invents before it', () => {
    expect(behind(event('130.176.1.1', '1.1.1.1, 198.51.100.1'))).toBe('198.51.100.1')
    expect(behind(event('130.176.1.1', '130.176.2.2, not an address'))).toBe('130.176.1.1')
  })

  it('is the proxy when it forwards nobody', () => {
    expect(behind(event('130.176.1.1'))).toBe('130.176.1.1')
  })

  it.each(['130.176.0.0/33', 'cloudfront', '10.0.0.0/', '10.0.0.0/8/8', '2600::/129'])(
    'refuses the network %s',
    (entry) => {
      expect(() => callerAddress(`10.0.0.7,${entry}`)).toThrow(`"${entry}"`)
    },
  )
})
