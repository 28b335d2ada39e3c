import { localeOfAddress } from '../../accounts/people/lookup/user-of-address.ts'
import { maxMailedFilesBytes } from '../../kernel/limits/files.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { sayDay } from '../../kernel/time/say-time.ts'
import { replyWords } from '../../messages/deliveries/attempt/reply-words.ts'
import type { ForwardedMessage, IntentContent } from '../../messages/deliveries/rows/intent-content.ts'
import { addressesOf, mailboxesOf } from '../../messages/mailboxes/mailbox.ts'
import { plainMail } from '../../messages/notifications/message-of.ts'
import { fileLinkDays } from '../../platform/mail/file-token.ts'
import { readTimeZone, storedSettings } from '../../platform/settings/read-settings.ts'
import { attachedFiles } from '../../tables/files/describe-file.ts'
import { tokenOfPath } from '../../tables/files/file-row.ts'
import type { ReplyDependencies } from './dependencies.ts'
import type { ReplyWay } from './reply-ways.ts'

/** What is said to somebody outside. */
export interface Reply {
  readonly commentId: number
  readonly body: string
  /** The paths of its files. */
  readonly files: readonly string[]
  /** The name of its author. */
  readonly author: string
  readonly subject: string
  readonly cc: readonly string[]
  /** What it passes on. */
  readonly forwards?: readonly ForwardedMessage[]
}

/**
 * The content of a reply: its text with the signature of the mailbox or the company, else the name of its author. Its files leave inside a
 * mail; those that are too large for one together, and those of a chat, as links.
 */
export async function writeReply(
  services: ReplyDependencies,
  tenant: Tenant,
  way: ReplyWay,
  { commentId, body, files, author, subject, cc, forwards }: Reply,
): Promise<IntentContent> {
  const { channel, from, recipient, mail } = way
  const isMail = channel.type === 'email'
  const areLinked = files.length > 0 && (!isMail || !(await fitIntoMail(services, tenant, files)))
  const said = [body, ...(areLinked ? [await linksOf(services, tenant, way, commentId, files)] : [])].join('\n\n')
  if (!isMail) return { body: said }
  return {
    ...plainMail(`${said}\n\n${(await signatureOf(services, tenant, author, from)) ?? author}`, subject),
    isPersonal: true,
    ...(from !== undefined && from !== channel.config.from_address && { from }),
    ...(cc.length > 0 && { cc: cc.filter((one) => one !== recipient.toLowerCase()) }),
    ...(mail?.mailId !== undefined && { inReplyTo: mail.mailId }),
    ...(mail && { quotes: mail.id }),
    ...(forwards && { forwards }),
    ...(files.length > 0 && !areLinked && { files }),
  }
}

async function fitIntoMail({ store }: ReplyDependencies, tenant: Tenant, paths: readonly string[]): Promise<boolean> {
  const fileAt = await attachedFiles(store, tenant, paths)
  return paths.reduce((sum, path) => sum + fileAt(path).size, 0) <= maxMailedFilesBytes
}

/** Signed links of files, each under its name. */
async function linksOf(
  { store, clock, config, fileUrl }: ReplyDependencies,
  tenant: Tenant,
  { channel, recipient }: ReplyWay,
  commentId: number,
  paths: readonly string[],
): Promise<string> {
  const expiresAt = Math.ceil(clock.now() / 1000) + fileLinkDays * 24 * 3600
  const fileAt = await attachedFiles(store, tenant, paths)
  const locale = channel.type === 'email' ? await localeOfAddress(store)(tenant, recipient) : null
  const day = sayDay(expiresAt * 1000, { locale, timeZone: await readTimeZone(config, tenant) })
  const lines = await Promise.all(
    paths.map(async (path) => {
      const file = tokenOfPath(tenant, path) ?? ''
      return `${fileAt(path).name}\n${await fileUrl(tenant, { commentId, file, expiresAt })}`
    }),
  )
  return [replyWords(locale).links(day), ...lines].join('\n')
}

/** What stands below replies, after the usual mark: of the mailbox that they leave from, else of the company; undefined for neither. */
async function signatureOf(
  { config }: ReplyDependencies,
  tenant: Tenant,
  author: string,
  from: string | undefined,
): Promise<string | undefined> {
  const mailbox = (await mailboxesOf(config, tenant)).find(
    (one) => from !== undefined && addressesOf(one).includes(from),
  )
  const value = mailbox?.signature ?? (await storedSettings(config, tenant)).get('MAIL_SIGNATURE')?.value
  if (typeof value !== 'string') return undefined
  return `-- \n${value.replaceAll(/\{\{\s*user\.name\s*\}\}/g, () => author)}`
}
