import type { ParsedMail } from '../../../../shared/messages/mailbox/mail/parts/parsed-mail.ts'

type Deep<T> = T extends Buffer ? T : T extends object ? { readonly [Member in keyof T]?: Deep<T[Member]> } : T

/** A mail as it may arrive, and what of it must be read. */
export interface MailShape {
  readonly name: string
  readonly raw: () => Buffer
  readonly says: Deep<ParsedMail>
}

type Headers = Readonly<Record<string, string | readonly string[]>>

const usual: Headers = {
  From: 'Ada Lovelace <ada@example.com>',
  To: 'Desk <desk@acme.test>',
  Subject: 'Lamp',
  Date: 'Fri, 20 Nov 2026 08:00:00 +0000',
  'Message-ID': '<one@example.com>',
  'MIME-Version': '1.0',
}

/** The bytes of a mail. Headers replace or add to the usual ones; an empty one is left out. Text is Latin-1: a byte each. */
export function mailOf(headers: Headers, body = 'Hello'): Buffer {
  const lines = Object.entries({ ...usual, ...headers }).flatMap(([name, values]) =>
    [values].flat().flatMap((value) => (value === '' ? [] : [`${name}: ${value}`])),
  )
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1')
}

/** A shape with its mail. */
export const shape = (
  name: string,
  headers: Headers | (() => Buffer),
  body: string | undefined,
  says: MailShape['says'],
): MailShape => ({ name, raw: typeof headers === 'function' ? headers : () => mailOf(headers, body), says })

/** A part: its headers and its content. */
export const part = (headers: Headers, content: string): string =>
  `${Object.entries(headers)
    .map(([name, value]) => `${name}: ${[value].flat().join(`\r\n${name}: `)}`)
    .join('\r\n')}\r\n\r\n${content}`

/** The body of a multipart with these parts. */
export const partsOf = (boundary: string, parts: readonly string[]): string =>
  `${parts.map((one) => `--${boundary}\r\n${one}\r\n`).join('')}--${boundary}--\r\n`

/** The header of a multipart. */
export const multipart = (kind: string, boundary = 'b'): Headers => ({
  'Content-Type': `multipart/${kind}; boundary="${boundary}"`,
})

export const text = (content: string, type = 'text/plain'): string => part({ 'Content-Type': type }, content)
export const base64 = (content: string | Buffer): string =>
  (
    Buffer.from(content)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  ).join('\r\n')
export const utf8 = (content: string): string => Buffer.from(content).toString('latin1')
/** A file as an attachment. */
export const file = (name: string, content: string | Buffer, type = 'application/octet-stream'): string =>
  part(
    {
      'Content-Type': type,
      'Content-Disposition': `attachment; filename=${name}`,
      'Content-Transfer-Encoding': 'base64',
    },
    base64(content),
  )
