import { expect, it } from 'vitest'
import { authenticatedSender } from '../../../../../../shared/messages/mailbox/mail/authenticated-sender.ts'
import { readMail } from '../../../../../../shared/messages/mailbox/mail/read-mail.ts'
import { mailOf } from '../../../../../make/loads/mails/mail-shape.ts'

type Headers = Parameters<typeof mailOf>[0]
const results = (value: string | readonly string[], more: Headers = {}): Headers => ({
  'Authentication-Results': value,
  ...more,
})
const senderOf = async (headers: Headers, server: string | undefined = 'mx.acme.test') =>
  authenticatedSender(await readMail(mailOf(headers)), server)

it.each([
  ['mx.acme.test; dmarc=pass header.from=example.com'],
  ['MX.acme.test 1; spf=fail smtp.mailfrom=x.test; dmarc=pass (p=NONE sp=NONE) header.from=EXAMPLE.com'],
  [['mx.acme.test; dmarc=pass header.from=example.com', 'other.test; dmarc=fail header.from=example.com']],
])('the sender is proved by the topmost result of the own server: %j', async (value) => {
  expect(await senderOf(results(value))).toBe('ada@example.com')
})

it.each([
  ['another server', results('evil.test; dmarc=pass header.from=example.com')],
  ['a failure', results('mx.acme.test; dmarc=fail header.from=example.com')],
  ['another domain', results('mx.acme.test; dmarc=pass header.from=evil.test')],
  ['SPF alone', results('mx.acme.test; spf=pass smtp.mailfrom=ada@example.com')],
  ['no result', results('mx.acme.test; none')],
  ['a result in a comment', results('mx.acme.test; spf=fail (; dmarc=pass header.from=example.com)')],
  ['a result in a text', results('mx.acme.test; spf=fail smtp.mailfrom="; dmarc=pass header.from=example.com"')],
  [
    'a forged header below that of the server',
    results(['other.test; dmarc=fail header.from=example.com', 'mx.acme.test; dmarc=pass header.from=example.com']),
  ],
  [
    'two senders',
    results('mx.acme.test; dmarc=pass header.from=example.com', { From: 'ada@example.com, eve@evil.test' }),
  ],
  [
    'two headers From',
    results('mx.acme.test; dmarc=pass header.from=example.com', { From: ['ada@example.com', 'eve@evil.test'] }),
  ],
  ['no header', {}],
])('nothing is proved by %s', async (_, headers) => {
  expect(await senderOf(headers)).toBeUndefined()
})

it('nothing is proved while no server is trusted', async () => {
  expect(
    authenticatedSender(await readMail(mailOf(results('mx.acme.test; dmarc=pass header.from=example.com'))), undefined),
  ).toBeUndefined()
})
