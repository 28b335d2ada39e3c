import { createHash } from 'node:crypto'
import type { MailSettings } from './mail-settings.ts'
import type { Mail } from './mail.ts'
import { oneLine } from './one-line.ts'

/**
 * The MIME message of a mail: the same bytes whenever it is made from the same mail, so that servers recognise a repeat.
 * The addresses must have been checked with `isMailAddress`.
 */
export async function writeMessage(
  { fromAddress, fromName }: Pick<MailSettings, 'fromAddress' | 'fromName'>,
  { id, createdAtMs, to, subject, text, html }: Mail,
): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const composer = new MailComposer({
    from: { name: oneLine(fromName ?? ''), address: fromAddress },
    to: { name: '', address: to },
    messageId: `<${id}@${fromAddress.slice(fromAddress.lastIndexOf('@') + 1)}>`,
    date: new Date(createdAtMs),
    subject: oneLine(subject),
    text,
    html,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Delivery-Id': id },
    // Random by default. Nobody who writes a body knows the id, so none can end its part early.
    baseBoundary: createHash('sha256').update(id).digest('hex').slice(0, 32),
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}
