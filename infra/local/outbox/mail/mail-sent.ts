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
export function mailSent({ provider, from, to, source, meta }: ReceivedMail): Sent {
  const { headers, text, html, attachments } = readMail(source)
  const header = (name: string): Record<string, string> => {
    const value = headers.get(name)
    return value === undefined ? {} : { [name.replaceAll('-', '_')]: value }
  }
  return {
    type: 'mail',
    provider,
    from: headers.get('from') ?? from,
    to: to.length > 0 ? to : ['to', 'cc', 'bcc'].flatMap((name) => addressesOf(headers.get(name))),
    subject: headers.get('subject') ?? '',
    text,
    ...(html !== undefined && { html }),
    source: source.toString(),
    meta: {
      ...header('reply-to'),
      ...header('cc'),
      ...header('date'),
      ...header('message-id'),
      ...(attachments.length > 0 && {
        attachments: attachments.map(({ name, type, bytes }) => `${name} (${type}, ${bytes} bytes)`).join(', '),
      }),
      ...meta,
    },
  }
}

const addressesOf = (header = ''): string[] =>
  [...header.matchAll(/[^\s<>,;"]+@[^\s<>,;"]+/g)].map(([address]) => address)
