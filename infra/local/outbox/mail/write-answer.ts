import type { Entry } from '../entry.ts'
import { readMail } from './read-mail.ts'

/** A mail that somebody writes to a mailbox of this machine. */
export interface WrittenMail {
  readonly from: string
  readonly fromName?: string | undefined
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html?: string | undefined
  readonly inReplyTo?: string | undefined
  readonly references?: readonly string[] | undefined
}

/**
 * The answer of whoever got a mail: to its sender, with its subject, its ids in `In-Reply-To` and `References`, and its
 * text quoted below, as mail programs do. Undefined when the mail names no sender or receiver.
 */
export async function answerTo(
  { from = '', to, subject = '', text, source, meta, at }: Entry,
  said: string,
): Promise<WrittenMail | undefined> {
  const [receiver, sender] = [addressOf(String(meta['reply_to'] ?? from)), addressOf(to[0] ?? '')]
  if (receiver === undefined || sender === undefined) return undefined
  const { messageId: id, references } = await readMail(Buffer.from(source))
  return {
    from: sender,
    to: receiver,
    subject: /^re:/i.test(subject) ? subject : `Re: ${subject}`,
    text: `${said}\n\nOn ${new Date(at).toUTCString()}, ${from} wrote:\n${quoted(text)}\n`,
    inReplyTo: id,
    references: [...references, ...(id === undefined ? [] : [id])],
  }
}

/** The MIME message of a written mail. */
export async function writeMail({
  from,
  fromName,
  to,
  inReplyTo,
  references,
  ...content
}: WrittenMail): Promise<Buffer> {
  const { createTransport } = await import('nodemailer')
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const { message } = await composer.sendMail({
    ...content,
    from: { name: fromName ?? '', address: from },
    to: { name: '', address: to },
    ...(inReplyTo !== undefined && { inReplyTo }),
    ...(references && references.length > 0 && { references: [...references] }),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return message as Buffer
}

const addressOf = (text: string): string | undefined => /[^\s<>,;"]+@[^\s<>,;"]+/.exec(text)?.[0]
const quoted = (text: string): string => text.trimEnd().replaceAll(/^/gm, '> ').replaceAll(/[ ]+$/gm, '')
