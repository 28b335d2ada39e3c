import { assert, ipV4, ipV6, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { networkOf } from '../../../../../shared/accounts/attempts/network-of.ts'

describe('the network of an address', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
  ])('of %j is %j', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })

  it('is defined for every address', () => {
    assert(property(ipV4(), (address) => networkOf(address) === address))
    assert(property(ipV6(), (address) => /^(?:[0-9a-f]{1,4}:){4}:\/64$|^\d+\.\d+\.\d+\.\d+$/.test(networkOf(address))))
  })
})
