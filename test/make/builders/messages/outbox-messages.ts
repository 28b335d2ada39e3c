import { createTransport } from 'nodemailer'
import type { Sent } from '../../../../infra/local/outbox/entry.ts'
import { mailSent } from '../../../../infra/local/outbox/mail/mail-sent.ts'
import { type Outbox } from '../../../../infra/local/outbox/outbox.ts'

/** A mail as it left, with this HTML. */
export async function mail(subject: string, html: string): Promise<Sent> {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const addresses = { from: 'Acme desk <desk@acme.test>', to: 'ada@example.com', replyTo: 'help@acme.test' }
  const text = `${subject}\n\nSet a password: http://localhost:9/password/reset/abcdef\n`
  const { message } = await composer.sendMail({ ...addresses, subject, text, html })
  return await mailSent({ provider: 'smtp', to: ['ada@example.com'], source: message as Buffer })
}
/** Something of another type that left. */
export const other = (type: Sent['type'], text: string, more: Partial<Sent> = {}): Sent => ({
  type,
  provider: 'sns',
  to: ['+4366012345'],
  text,
  source: text,
  meta: {},
  ...more,
})

const invitation = `<div style="font-family: Georgia, serif; max-width: 34em; margin: 2em auto; color: #223">
  <h1 style="font-weight: normal">Welcome to Acme</h1>
  <p>Grace Hopper invites you to the service desk of <b>Acme Ltd</b>.</p>
  <p><a href="http://localhost:9/join/secret" style="background: #3450c4; color: white; padding: .7em 1.2em; border-radius: 6px; text-decoration: none">Accept the invitation</a></p>
</div>`

/** Adds one of each type, the mail last. */
export async function fillOutbox(outbox: Outbox): Promise<void> {
  outbox.add(
    other('stream', '{"order":7,"total":"129.90","currency":"EUR"}', {
      provider: 'kinesis',
      to: ['orders'],
      meta: { partition_key: '7', sequence_number: '1795000000000000001', bytes: 45 },
    }),
  )
  outbox.add(other('event', '{"id":7}', { provider: 'eventbridge', to: ['crm'], from: 'acme', subject: 'order.paid' }))
  outbox.add(
    other(
      'webhook',
      '{"id":"msg_0f3b","type":"requests.after_create","timestamp":"2026-11-22T19:20:00.000Z","tenant":"demo","data":{"title":"The lamp is broken","priority":"high"}}',
      {
        provider: 'http',
        to: ['http://127.0.0.1:4000/hooks/crm'],
        subject: 'requests.after_create',
        meta: { status: 503 },
      },
    ),
  )
  outbox.add(
    other(
      'messenger',
      'Request 12 is assigned to you: The lamp in room 4 is broken\nhttp://localhost:3000/requests/12',
      { provider: 'bot-api', to: ['4211'], from: 'bot 123' },
    ),
  )
  outbox.add(other('sms', 'Your code is 483 120. It is good for five minutes.', { from: 'Acme' }))
  outbox.add(await mail('Lost password', '<p>Somebody asked for a new password.</p>'))
  outbox.add(await mail('Grace Hopper invites you to Acme Ltd', invitation))
}
