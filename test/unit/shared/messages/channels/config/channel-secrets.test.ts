import { describe, expect, it } from 'vitest'
import { channelOpener, sealSecrets } from '../../../../../../shared/messages/channels/config/channel-secrets.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { testSecretBox } from '../../../../../make/services/stores/local-kms.ts'

const tenant = { id: 1 }
const box = testSecretBox()
const clock = frozenClock()
const webhook = { id: 3, type: 'webhook' } as const
const url = 'https://crm.example.com'
const [first, second] = [1, 2].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`)
type Before = Parameters<typeof sealSecrets>[4]

const seal = (config: object, before?: Before) =>
  sealSecrets(box, tenant, webhook, { url, auth: { type: 'none' }, ...config }, before, clock.now())
const openAt = (laterMs: number, sealed: NonNullable<Before>, id = 3) => {
  const channel = {
    ...webhook,
    id,
    name: 'crm',
    direction: 'outgoing' as const,
    isDefault: false,
    isEnabled: true,
    version: 1,
    ...sealed,
  }
  return channelOpener(box, { now: () => clock.now() + laterMs })<'webhook'>(tenant, channel)
}

describe('the secrets of a channel', () => {
  it('leave its configuration, and come back when it is opened', async () => {
    const auth = { type: 'basic', username: 'desk', password: 'open sesame' } as const
    const sealed = await seal({ auth, secret: first })
    expect(sealed.config).toEqual({ url, auth: { type: 'basic', username: 'desk' } })
    expect(JSON.stringify(sealed)).not.toContain('sesame')
    const opened = await openAt(0, sealed)
    expect(opened).toEqual({ id: 3, name: 'crm', config: { url, auth, secret: first }, signingSecrets: [first] })
  })

  it('open for no other channel', async () => {
    await expect(openAt(0, await seal({ secret: first }), 4)).rejects.toThrow('channel.4.secret')
  })

  it('stay as they are where the mask is written', async () => {
    const before = await seal({ secret: first })
    expect(await seal({ secret: '********' }, before)).toEqual(before)
  })

  it('sign with the replaced one for a day', async () => {
    const rotated = await seal({ secret: second }, await seal({ secret: first }))
    const day = 24 * 60 * 60 * 1000
    expect((await openAt(day - 1, rotated)).signingSecrets).toEqual([second, first])
    expect((await openAt(day, rotated)).signingSecrets).toEqual([second])
    const masked = await seal({ secret: '********' }, rotated)
    expect((await openAt(0, masked)).signingSecrets).toEqual([second, first])
    expect((await openAt(0, await seal({}, rotated))).signingSecrets).toEqual([])
  })
})
