import { expect, it } from 'vitest'
import { answerLimits } from '../../../../../../shared/messages/deliveries/answers/answer-brake.ts'

const tenant = { id: 1, slug: 'acme', name: 'Acme', configVersion: 1 }
const row = (name: string, doc: unknown) => ({ name, version: 1, doc })
const channel = (id: number, config: object) =>
  row(String(id), {
    id,
    name: 'x',
    type: 'email',
    direction: 'outgoing',
    isDefault: false,
    isEnabled: false,
    config,
    sealed: {},
  })
const configOf = (settings: object, channels: object[]) => ({
  list: async (_: object, kind: string, read: (one: never) => unknown) => {
    if (kind === 'MAILBOX') return []
    const rows = kind === 'CHANNEL' ? channels : Object.entries(settings).map(([name, value]) => row(name, value))
    return rows.map((one) => read(one as never))
  },
})
const limitsOf = (settings: object, channels: object[] = []) =>
  answerLimits(configOf(settings, channels) as never, tenant)

it('answers five mails an hour, or as many as the setting says', async () => {
  expect((await limitsOf({})).perHour).toBe(5)
  expect((await limitsOf({ MAIL_ANSWERS_PER_HOUR: 0 })).perHour).toBe(0)
  expect((await limitsOf({ MAIL_ANSWERS_PER_HOUR: 12 })).perHour).toBe(12)
})

it('knows the addresses of the mailbox and of every mail channel', async () => {
  const settings = {
    IMAP_USERNAME: 'Desk@Acme.test',
    MAIL_USERNAME: 'desk',
    MAIL_FROM_ADDRESS: 'noreply@acme.test',
    MAIL_PASSWORD: { sealed: 'a@b.c' },
  }
  const { ownAddresses } = await limitsOf(settings, [channel(1, { from_address: 'IT@acme.test' }), channel(2, {})])
  expect([...ownAddresses]).toEqual(['desk@acme.test', 'noreply@acme.test', 'it@acme.test'])
})
