import { createHash } from 'node:crypto'
import { oneLine } from './mail-address.ts'
import type { MailSettings } from './mail-settings.ts'
import type { Mail } from './mail.ts'

const maxDomainCharacters = 45
/** What may stand in a header as it is: the ids of others are what they wrote. */
const isMessageId = /^<[!-;=?-~]{1,250}>$/

/**
 * The MIME message of a mail: the same bytes whenever it is made from the same mail, so that servers recognise a repeat.
 * The addresses must have been checked with `isMailAddress`.
 */
export async function writeMessage(
  { fromAddress, fromName }: Pick<MailSettings, 'fromAddress' | 'fromName'>,
  {
    id,
    thread,
    inReplyTo,
    isPersonal,
    unsubscribeUrl,
    createdAtMs,
    to,
    cc = [],
    subject,
    text,
    html,
    files = [],
  }: Mail,
): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const domain = idDomain(fromAddress)
  const messageId = `<${thread?.id ?? id}@${domain}>`
  const answered = [
    ...(inReplyTo !== undefined && isMessageId.test(inReplyTo) ? [inReplyTo] : []),
    ...(thread?.reference === undefined ? [] : [`<${thread.reference}@${domain}>`]),
  ]
  const composer = new MailComposer({
    from: { name: oneLine(fromName ?? ''), address: fromAddress },
    to: { name: '', address: to },
    ...(cc.length > 0 && { cc: cc.map((address) => ({ name: '', address })) }),
    messageId,
    ...(answered.length > 0 && { inReplyTo: answered[0], references: answered }),
    date: new Date(createdAtMs),
    subject: oneLine(subject),
    text,
    html,
    attachments: files.map(({ name, contentType, content }) => ({
      filename: name,
      // A mail inside a mail would be sent as it is, whatever its lines are.
      contentType: contentType.startsWith('message/') ? 'application/octet-stream' : contentType,
      content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
    })),
    headers: {
      // RFC 3834: what people write is not marked, and what programs write is, so that programs do not answer it.
      ...(!isPersonal && { 'Auto-Submitted': 'auto-generated' }),
      ...(unsubscribeUrl !== undefined && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
      'X-Delivery-Id': id,
      // SES puts its own Message-ID; a bounce is believed by the signed one.
      ...(thread && { 'X-Message-Id': messageId }),
    },
    // Random by default. Nobody who writes a body knows the id, so none can end its part early.
    baseBoundary: createHash('sha256').update(id).digest('hex').slice(0, 32),
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}

/** The domain of an address; of a long one the end, so that no id has more than 200 characters. */
const idDomain = (address: string): string =>
  address
    .slice(address.lastIndexOf('@') + 1)
    .slice(-maxDomainCharacters)
    .replace(/^[.-]+/, '')
