import type { Sent } from '../entry.ts'
import { readMail } from './read-mail.ts'

interface ReceivedMail {
  readonly provider: 'smtp' | 'ses'
  /** Default: that of the header. */
  readonly from?: string
  /** Those of the envelope; those of the headers when there are none. */
  readonly to: readonly string[]
  readonly source: Buffer
  readonly meta?: Sent['meta']
}

/** What a mail says, from its source. */
export async function mailSent({ provider, from, to, source, meta }: ReceivedMail): Promise<Sent> {
  const mail = await readMail(source)
  const { replyTo: reply_to, cc, date, messageId: message_id, attachments } = mail
  const described = attachments.map(({ name, type, bytes }) => `${name} (${type}, ${bytes} bytes)`).join(', ')
  return {
    type: 'mail',
    provider,
    from: mail.from ?? from,
    to: to.length > 0 ? to : mail.recipients,
    subject: mail.subject,
    text: mail.text,
    ...(mail.html !== undefined && { html: mail.html }),
    source: source.toString(),
    meta: {
      ...(reply_to !== undefined && { reply_to }),
      ...(cc !== undefined && { cc }),
      ...(date !== undefined && { date }),
      ...(message_id !== undefined && { message_id }),
      ...(described !== '' && { attachments: described }),
      ...meta,
    },
  }
}
