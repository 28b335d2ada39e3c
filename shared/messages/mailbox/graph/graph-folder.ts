import * as z from 'zod'
import { ForbiddenHost } from '../../../kernel/addresses/public-address.ts'
import { oneLine } from '../../../platform/mail/mail-address.ts'
import type { FetchPublic } from '../../../platform/net/guarded-request.ts'
import { MailboxFailure } from '../imap/mailbox-failure.ts'

/** Where a folder is in Microsoft Graph. */
export interface GraphPlace {
  /** With the version: `https://graph.microsoft.com/v1.0`. */
  readonly base: string
  /** The address of the mailbox. */
  readonly user: string
  /** The name of a folder that everybody has (`inbox`), the id of another one, or the name that it shows. */
  readonly folder: string
}

/** A mail in the order in which the folder got it. */
export interface GraphMail {
  readonly id: string
  readonly receivedMs: number
}

/** Some mails that came since a link, and the link to what follows; `isLast`: nothing does so far. */
export interface GraphPage {
  readonly mails: readonly GraphMail[]
  readonly link: string
  readonly isLast: boolean
}

/** A folder that was found. Every method throws MailboxFailure. */
export interface GraphFolder {
  /** How many mails are in the folder. */
  readonly messages: number
  /** The mails since a link; without one, all of the folder. A link that is too old begins again. */
  page(link: string | undefined): Promise<GraphPage>
  /** The mail (`all`) or its headers, as MIME. undefined: it is gone. Throws TooLarge for more than may be fetched. */
  content(id: string, part: 'all' | 'headers'): Promise<Buffer | undefined>
}

/** The answer is larger than may be fetched. */
export class TooLarge extends Error {}

const Folder = z.object({ id: z.string().min(1), totalItemCount: z.number().optional() })
const Folders = z.object({ value: z.array(Folder) })
const Delta = z.object({
  value: z.array(
    z.object({ id: z.string(), receivedDateTime: z.string().optional(), '@removed': z.unknown().optional() }),
  ),
  '@odata.nextLink': z.url().optional(),
  '@odata.deltaLink': z.url().optional(),
})
const Headers = z.object({
  internetMessageHeaders: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
})
const Refusal = z.object({ error: z.object({ code: z.string(), message: z.string().optional() }) })

const mailsPerPage = 50

/**
 * Finds a folder of a mailbox by Microsoft Graph, and reads it without changing it: delta links name what came
 * (https://learn.microsoft.com/graph/delta-query-messages), and ids stay as they are while a mail moves. Throws MailboxFailure.
 */
export async function openGraphFolder(
  fetchPublic: FetchPublic,
  { base, user, folder }: GraphPlace,
  accessToken: string,
  signal: AbortSignal,
): Promise<GraphFolder> {
  const mailbox = `${base}/users/${encodeURIComponent(user)}`
  const ask = async (url: string, headers: Record<string, string> = {}): Promise<Response> => {
    try {
      return await fetchPublic(url, {
        headers: { authorization: `Bearer ${accessToken}`, prefer: 'IdType="ImmutableId"', ...headers },
        signal,
      })
    } catch (error) {
      throw connectionFailure(error, base)
    }
  }
  const read = async <T>(schema: z.ZodType<T>, response: Response): Promise<T> => {
    const body: unknown = await response.json().catch(() => undefined)
    if (response.status !== 200) throw refused(response.status, body)
    const parsed = schema.safeParse(body)
    if (!parsed.success) throw new MailboxFailure('Microsoft Graph answered something that could not be understood.')
    return parsed.data
  }
  const { id, totalItemCount = 0 } = await findFolder()
  const first = `${mailbox}/mailFolders/${encodeURIComponent(id)}/messages/delta?changeType=created&$select=id,receivedDateTime`

  let hasRestarted = false
  const opened: GraphFolder = {
    messages: totalItemCount,
    async page(link) {
      const response = await ask(link === undefined ? first : ownLink(link, base), {
        prefer: `IdType="ImmutableId", odata.maxpagesize=${mailsPerPage}`,
      })
      // The link is older than Microsoft remembers: mails that are known are passed over.
      if (link !== undefined && response.status === 410 && !hasRestarted) {
        hasRestarted = true
        return opened.page(undefined)
      }
      const { value, ...links } = await read(Delta, response)
      const next = links['@odata.nextLink']
      const following = next ?? links['@odata.deltaLink']
      if (following === undefined)
        throw new MailboxFailure('Microsoft Graph answered a page without a link to the next.')
      const mails = value.flatMap(({ id: mail, receivedDateTime, ...others }) =>
        others['@removed'] === undefined ? [{ id: mail, receivedMs: Date.parse(receivedDateTime ?? '') || 0 }] : [],
      )
      return { mails, link: following, isLast: next === undefined }
    },
    async content(mail, part) {
      const address = `${mailbox}/messages/${encodeURIComponent(mail)}`
      const response = await ask(part === 'all' ? `${address}/$value` : `${address}?$select=internetMessageHeaders`)
      if (response.status === 404) return undefined
      if (part === 'headers') {
        const { internetMessageHeaders: headers } = await read(Headers, response)
        return Buffer.from(`${headers.map(({ name, value }) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`)
      }
      if (response.status !== 200) throw refused(response.status, await response.json().catch(() => undefined))
      return Buffer.from(await response.arrayBuffer())
    },
  }
  return opened

  async function findFolder(): Promise<z.output<typeof Folder>> {
    // `INBOX` is what others call it.
    const name = /^inbox$/i.test(folder) ? 'inbox' : folder
    const response = await ask(`${mailbox}/mailFolders/${encodeURIComponent(name)}`)
    if (response.status === 200) return read(Folder, response)
    const body: unknown = await response.json().catch(() => undefined)
    if (response.status !== 404 && response.status !== 400) throw refused(response.status, body)
    const shown = `displayName eq '${folder.replaceAll("'", "''")}'`
    const { value } = await read(Folders, await ask(`${mailbox}/mailFolders?$filter=${encodeURIComponent(shown)}`))
    if (!value[0]) throw new MailboxFailure(`There is no folder ${folder} in this mailbox. Check incoming.folder.`)
    return value[0]
  }
}

/** Links come from the provider, and must not lead the token elsewhere. */
function ownLink(link: string, base: string): string {
  if (new URL(link).origin === new URL(base).origin) return link
  throw new MailboxFailure('Microsoft Graph answered a link to another host.')
}

function connectionFailure(error: unknown, base: string): Error {
  const { host } = new URL(base)
  if (error instanceof ForbiddenHost)
    return new MailboxFailure(`Microsoft Graph at ${host} is not on the public internet, or not https.`)
  const { name, code, message } = error as NodeJS.ErrnoException
  if (message.startsWith('the answer is larger')) return new TooLarge(message)
  const why = name === 'TimeoutError' ? 'it did not answer in time' : (code ?? 'no connection')
  return new MailboxFailure(`Microsoft Graph at ${host} could not be reached: ${why}.`)
}

/** What Graph said. */
function refused(status: number, body: unknown): MailboxFailure {
  const said = Refusal.safeParse(body)
  const { code, message = '' } = said.success ? said.data.error : { code: '' }
  const words = oneLine([code, message].filter(Boolean).join(': ')).slice(0, 300).toWellFormed()
  const hint = status === 403 ? ' The application lacks a permission for this mailbox.' : ''
  return new MailboxFailure(`Microsoft Graph answered ${status}${words && `: ${words}`}.${hint}`, {
    isLogin: status === 401,
  })
}
