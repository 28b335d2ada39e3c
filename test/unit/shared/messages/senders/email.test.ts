import { describe, expect, it } from 'vitest'
import type { OpenedChannel } from '../../../../../shared/messages/channels/channel.ts'
import { emailSender, mailSettingsOfChannel } from '../../../../../shared/messages/senders/email.ts'
import type { MailSettings } from '../../../../../shared/platform/mail/mail-settings.ts'
import type { Mail } from '../../../../../shared/platform/mail/mail.ts'

const channel = (config: object): OpenedChannel<'email'> => ({
  id: 3,
  name: 'mails',
  config: { transport: 'smtp', host: 'mail.acme.test', from_address: 'desk@acme.test', ...config } as never,
  signingSecrets: [],
})
const message = {
  id: 'msg_1_0',
  tenant: { id: 1, slug: 'acme' },
  recipient: 'ada@example.com',
  subject: 'Hello',
  body: '<p>Hello</p>',
  text: 'Hello',
  createdAt: '2026-11-20T08:00:00.000Z',
}

describe('a mail channel', () => {
  it.each([
    ['ssl', 465],
    ['tls', 587],
    ['none', 25],
    [undefined, 587],
  ])('with the encryption %s has the port %i unless it names one', (encryption, port) => {
    expect(mailSettingsOfChannel(channel({ encryption }))).toMatchObject({ port })
    expect(mailSettingsOfChannel(channel({ encryption, port: 2525 }))).toMatchObject({ port: 2525 })
  })

  it('sends the body as HTML and the text beside it, with the id and the time of the message', async () => {
    const sent: [MailSettings, Mail][] = []
    const sendMail = async (...given: [MailSettings, Mail]) => {
      sent.push(given)
      return { kind: 'delivered' } as const
    }
    const config = { username: 'desk', password: 'secret', encryption: 'tls', from_name: 'Acme' }
    await emailSender({ sendMail, mayUseSes: () => false }).send(message, channel(config))
    expect(sent).toEqual([
      [
        {
          transport: 'smtp',
          host: 'mail.acme.test',
          port: 587,
          fromAddress: 'desk@acme.test',
          fromName: 'Acme',
          username: 'desk',
          password: 'secret',
          encryption: 'tls',
        },
        {
          id: 'msg_1_0',
          createdAtMs: Date.parse('2026-11-20T08:00:00Z'),
          to: 'ada@example.com',
          subject: 'Hello',
          html: '<p>Hello</p>',
          text: 'Hello',
        },
      ],
    ])
  })

  it('makes the text from the HTML when there is none', async () => {
    const sent: Mail[] = []
    const sendMail = async (_settings: MailSettings, mail: Mail) => {
      sent.push(mail)
      return { kind: 'delivered' } as const
    }
    const { text: _, ...html } = message
    await emailSender({ sendMail, mayUseSes: () => false }).send(html, channel({}))
    expect(sent).toMatchObject([{ html: '<p>Hello</p>', text: 'Hello' }])
  })

  it('sends through SES only what the operator allows', async () => {
    const asked: unknown[] = []
    const mayUseSes = (...given: unknown[]) => {
      asked.push(given)
      return asked.length > 1
    }
    const { send } = emailSender({ sendMail: async () => ({ kind: 'delivered' }), mayUseSes })
    const ses = channel({ transport: 'ses', host: undefined })
    expect(await send(message, ses)).toEqual({
      kind: 'refused',
      by: 'service',
      error: 'The operator has not allowed this company to send from desk@acme.test through SES (SES_DOMAINS).',
    })
    expect(await send(message, ses)).toEqual({ kind: 'delivered' })
    expect(asked[0]).toEqual(['acme', 'desk@acme.test'])
  })
})
