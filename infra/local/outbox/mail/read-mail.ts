import type { AddressObject, EmailAddress, HeaderLines, ParsedMail } from 'mailparser'

/** A mail as a mail program shows it. */
export interface ReadMail {
  /** Each address as `Name <address>`. */
  readonly from: string | undefined
  readonly replyTo: string | undefined
  readonly cc: string | undefined
  /** The addresses of `To`, `Cc` and `Bcc`, each once. */
  readonly recipients: readonly string[]
  readonly subject: string
  /** As it is written. */
  readonly date: string | undefined
  readonly messageId: string | undefined
  readonly references: readonly string[]
  readonly text: string
  /** Images of the mail are part of it, as `data:` addresses. */
  readonly html: string | undefined
  readonly attachments: readonly { readonly name: string; readonly type: string; readonly bytes: number }[]
}

/** Images that need more than this are left out of the HTML. */
const maxInlineBytes = 1024 * 1024

/** Reads a MIME message. Never rejects: what cannot be parsed is shown as plain text. */
export async function readMail(source: Buffer): Promise<ReadMail> {
  // The library takes 0.2 s to load, which a start does not wait for.
  const { simpleParser } = await import('mailparser')
  const options = { skipTextToHtml: true, maxInlinedImagesSize: maxInlineBytes }
  const mail = await simpleParser(source, options).catch(() => ({ ...unreadable, text: source.toString() }))
  const addresses = [mail.to, mail.cc, mail.bcc].flatMap(addressesOf).map(({ address = '' }) => address)
  return {
    from: named(mail.from),
    replyTo: named(mail.replyTo),
    cc: named(mail.cc),
    recipients: [...new Set(addresses)].filter((address) => address !== ''),
    subject: mail.subject ?? '',
    date: lineOf(mail.headerLines, 'date'),
    messageId: mail.messageId,
    references: [mail.references ?? []].flat(),
    // Words are searched for, and a space that keeps them on a line is none to those who search.
    text: linesOf(mail.text ?? '').replaceAll('\u00a0', ' '),
    html: mail.html ? linesOf(mail.html) : undefined,
    attachments: mail.attachments.map(({ filename = 'unnamed', contentType, size }) => ({
      name: filename,
      type: contentType,
      bytes: size,
    })),
  }
}

const unreadable: ParsedMail = { attachments: [], headers: new Map(), headerLines: [], html: false }

type Addresses = AddressObject | AddressObject[] | undefined

/** Those of groups too. */
const addressesOf = (given: Addresses): EmailAddress[] =>
  [given ?? []].flat().flatMap(({ value }) => value.flatMap((one) => one.group ?? [one]))

function named(given: Addresses): string | undefined {
  const texts = addressesOf(given).map(({ name, address = '' }) => (name ? `${name} <${address}>` : address))
  return texts.length > 0 ? texts.join(', ') : undefined
}

const lineOf = (lines: HeaderLines, name: string): string | undefined =>
  lines
    .find(({ key }) => key === name)
    ?.line.replace(/^[^:]*:/, '')
    .replace(/\s+/g, ' ')
    .trim()

/** Lines end with LF; the last one does not end. */
const linesOf = (text: string): string => text.replaceAll('\r\n', '\n').replace(/\n$/, '')
