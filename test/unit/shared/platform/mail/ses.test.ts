import { describe, expect, it } from 'vitest'
import { createMailSender } from '../../../../../shared/platform/mail/send-mail.ts'
import { createSesSender } from '../../../../../shared/platform/mail/ses.ts'

interface Sent {
  readonly FromEmailAddress: string
  readonly Destination: object
  readonly ConfigurationSetName?: string
  readonly Content: { readonly Raw: { readonly Data: Uint8Array } }
}
const mail = { id: 'msg_1_0', createdAtMs: 0, to: 'ada@example.com', subject: 'Hello', html: '<p>Hello</p>' }
const settings = { transport: 'ses', fromAddress: 'desk@acme.test', fromName: 'Acme\r\nBcc: eve@x.org' } as const

/** Sends the mail through a SES that answers `answer`. */
async function sendTo(answer: () => unknown, to = mail.to, configurationSet?: string) {
  const sent: Sent[] = []
  const client = {
    async send({ input }: { input: Sent }) {
      sent.push(input)
      return answer()
    },
  }
  const sendBySes = createSesSender(async () => client as never, configurationSet)
  const send = createMailSender({ loopbackAllowed: false, sendBySes })
  return { outcome: await send(settings, { ...mail, to }), sent }
}
const fault =
  (name: string, message = 'said SES') =>
  () => {
    throw Object.assign(new Error(message), { name })
  }

describe('a mail through SES', () => {
  it('is the same message as by SMTP, to exactly its recipient', async () => {
    const { outcome, sent } = await sendTo(() => ({ MessageId: '0100-ses' }))
    expect(outcome).toEqual({ kind: 'delivered', code: '200', excerpt: '0100-ses' })
    const [{ FromEmailAddress, Destination, Content }] = sent as [Sent]
    expect([FromEmailAddress, Destination]).toEqual(['desk@acme.test', { ToAddresses: [mail.to] }])
    const raw = Buffer.from(Content.Raw.Data).toString()
    expect(raw).toMatch(/^X-Delivery-ID: msg_1_0\r$/m)
    expect(raw).not.toMatch(/^Bcc:/m)
  })

  it('names the configuration set of the deployment where there is one', async () => {
    const answer = () => ({ MessageId: '1' })
    const [{ sent: counted }, { sent: uncounted }] = await Promise.all([
      sendTo(answer, mail.to, 'stage-set'),
      sendTo(answer),
    ])
    expect(counted).toMatchObject([{ ConfigurationSetName: 'stage-set' }])
    expect(uncounted[0]).not.toHaveProperty('ConfigurationSetName')
  })

  it('is refused for an address that is not one plain address', async () => {
    const { outcome, sent } = await sendTo(() => ({}), 'ada@example.com, eve@example.com')
    expect([outcome.kind, sent]).toEqual(['refused', []])
  })

  it.each([
    ['TooManyRequestsException', 'failed', 'SES asks to send more slowly.'],
    ['ThrottlingException', 'failed', 'SES asks to send more slowly.'],
    ['LimitExceededException', 'failed', /quota/],
    ['SendingPausedException', 'failed', /paused/],
    ['AccountSuspendedException', 'failed', /suspended/],
    ['AccessDeniedException', 'failed', /operator/],
    ['ServiceUnavailable', 'failed', 'SES did not accept the mail: ServiceUnavailable.'],
    ['AbortError', 'failed', /not known/],
    ['TimeoutError', 'failed', /not known/],
    ['MessageRejected', 'refused', 'SES refused the mail: MessageRejected.'],
    ['BadRequestException', 'refused', 'SES refused the mail: BadRequestException.'],
  ])('that ends with %s has %s', async (name, kind, error) => {
    const { outcome } = await sendTo(fault(name))
    expect(outcome).toMatchObject({ kind, code: name, error: expect.stringMatching(error) })
  })

  it('from an address that nobody verified waits for its verification', async () => {
    const { outcome } = await sendTo(fault('MessageRejected', 'Email address is not verified. desk@acme.test'))
    expect(outcome).toMatchObject({ kind: 'failed', error: expect.stringMatching(/verify its domain/) })
  })
})
