import { describe, expect, it } from 'vitest'
import { ForbiddenHost, publicAddressOf } from '../../../../../shared/kernel/addresses/public-address.ts'

const resolvesTo = (...addresses: string[]) => ({
  loopbackAllowed: false,
  resolve: async () => addresses.map((address) => ({ address })),
})

describe('the address of a host that a tenant names', () => {
  it.each([
    '127.0.0.1',
    '127.8.8.8',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '255.255.255.255',
    '224.0.0.1',
    '::1',
    '::',
    '[::1]',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    '::ffff:10.0.0.1',
    '::ffff:a9fe:a9fe',
    // Public, but nobody needs the mapped form of an IPv4 address.
    '::ffff:8.8.8.8',
    '64:ff9b::a00:1',
    '2002:a00:1::1',
  ])('is refused when it is %s, given as a literal and as the answer of a resolver', async (address) => {
    await expect(publicAddressOf(address, resolvesTo('198.18.0.1'))).rejects.toThrow(ForbiddenHost)
    await expect(publicAddressOf('mail.example', resolvesTo(address))).rejects.toThrow(ForbiddenHost)
  })

  it.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2a00:1450:4001:800::200e'])(
    'is allowed when it is %s',
    async (address) => {
      expect(await publicAddressOf(address, resolvesTo())).toBe(address)
      expect(await publicAddressOf('mail.example', resolvesTo(address))).toBe(address)
    },
  )

  it('that a name resolves to is not named, for it would show an inner network to whoever asks', async () => {
    await expect(publicAddressOf('mail.example', resolvesTo('8.8.8.8', '10.0.0.1'))).rejects.toThrow(
      /^The host mail\.example is not on the public internet\.$/,
    )
  })

  it('is refused when any of its addresses is not public', async () => {
    await expect(publicAddressOf('mail.example', resolvesTo('8.8.8.8', '10.0.0.1'))).rejects.toThrow(ForbiddenHost)
  })

  it('may be on this machine where that is allowed, and still not in a private network', async () => {
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
      expect(await publicAddressOf('localhost', { ...resolvesTo(address), loopbackAllowed: true })).toBe(address)
    await expect(publicAddressOf('10.0.0.1', { loopbackAllowed: true })).rejects.toThrow(ForbiddenHost)
  })
})
