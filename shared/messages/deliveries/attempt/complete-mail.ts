import { maxQuotedCharacters } from '../../../kernel/limits/messages.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { escapeHtml } from '../../../kernel/text/escape-html.ts'
import { sayTime, type TimeStyle } from '../../../kernel/time/say-time.ts'
import { readTimeZone } from '../../../platform/settings/read-settings.ts'
import type { Config } from '../../../platform/store/config.ts'
import type { Store } from '../../../platform/store/store.ts'
import { tokenOfPath } from '../../../tables/files/file-row.ts'
import { findSentFile } from '../../../tables/files/find-sent-file.ts'
import { findMessage } from '../../incoming-messages/find-message.ts'
import type { ContentObjects, ForwardedMessage, IntentContent } from '../rows/intent-content.ts'
import type { OutgoingFile } from '../sender.ts'
import type { Delivery } from '../state/delivery.ts'
import { replyWords } from './reply-words.ts'

interface Dependencies {
  readonly store: Pick<Store, 'query' | 'getMany'>
  readonly config: Pick<Config, 'get'>
  readonly objects: ContentObjects
}

type Said = Pick<IntentContent, 'body' | 'text'>
type Completed = Said & { readonly files?: readonly OutgoingFile[] }

/**
 * Adds what a reply by mail has besides its text when it is sent: the files inside it, and the mail that it answers, quoted
 * below, or those that it forwards. A file that its comment does not hold any more is named on top.
 */
export async function completeMail(
  services: Dependencies,
  tenant: Tenant,
  { source, locale }: Pick<Delivery, 'source' | 'locale'>,
  { files: paths = [], quotes, forwards = [], ...said }: Said & Pick<IntentContent, 'files' | 'quotes' | 'forwards'>,
): Promise<Completed> {
  const style = { locale, timeZone: await readTimeZone(services.config, tenant) }
  const found = await Promise.all(
    paths.map(async (path) => {
      const token = tokenOfPath(tenant, path)
      const file =
        token === undefined || source.comment_id === undefined
          ? undefined
          : await findSentFile(services.store, tenant, source.comment_id, token)
      return file?.path === path ? file : { lost: path.slice(path.lastIndexOf('/') + 1) }
    }),
  )
  const lost = found.flatMap((one) => ('lost' in one ? one.lost : []))
  const files = found.flatMap((one): OutgoingFile[] =>
    'lost' in one
      ? []
      : [
          {
            name: one.name,
            contentType: one.contentType,
            size: one.size,
            read: () => services.objects.fetchObject(one.path),
          },
        ],
  )
  const quote = quotes === undefined ? undefined : await quoteOf(services, tenant, quotes, style)
  const passedOn = await Promise.all(forwards.map((one) => forwardedPart(services, tenant, one, style)))
  const below = [...(quote ? [quote] : []), ...passedOn.flatMap((one) => one ?? [])]
  const above = lost.length === 0 ? undefined : replyWords(locale).lost(lost.join(', '))
  return {
    body: [
      above === undefined ? '' : `<p>${escapeHtml(above)}</p>\n`,
      said.body,
      ...below.map(({ html }) => html),
    ].join(''),
    ...(said.text !== undefined && {
      text: [above === undefined ? '' : `${above}\n\n`, said.text, ...below.map(({ text }) => text)].join(''),
    }),
    ...(files.length > 0 && { files }),
  }
}

/** A mail as its answer quotes it: who wrote when, and what. Mail programs fold it. */
async function quoteOf(
  { store, objects }: Dependencies,
  tenant: Tenant,
  messageId: number,
  style: TimeStyle,
): Promise<{ readonly text: string; readonly html: string } | undefined> {
  const message = await findMessage({ store, ...objects }, tenant, messageId)
  const said = message?.body.trim() ?? ''
  if (!message || said === '') return undefined
  const isCut = said.length > maxQuotedCharacters
  const body = isCut ? `${said.slice(0, maxQuotedCharacters).toWellFormed()}\n…` : said
  const who = message.fromName ?? message.fromEmail ?? ''
  const head = replyWords(style.locale).wrote(who, sayTime(message.receivedAtMs, style))
  const marked = body
    .split(/\r?\n/)
    .map((line) => (line === '' || line.startsWith('>') ? `>${line}` : `> ${line}`))
    .join('\n')
  const html = `<div class="gmail_quote"><div class="gmail_attr">${escapeHtml(head)}</div><blockquote class="gmail_quote" type="cite" style="margin: 0 0 0 0.8ex; border-left: 1px solid #ccc; padding-left: 1ex; white-space: pre-wrap">${escapeHtml(body)}</blockquote></div>`
  return { text: `\n\n${head}\n${marked}\n`, html: `\n<br>${html}` }
}

interface NamedAddress {
  readonly name?: string | null
  readonly email?: string | null
}

/** A message as a forward has it: who wrote it when and to whom, and what. Undefined for one that is gone. */
async function forwardedPart(
  { store, objects }: Dependencies,
  tenant: Tenant,
  one: ForwardedMessage,
  style: TimeStyle,
): Promise<{ readonly text: string; readonly html: string } | undefined> {
  const words = replyWords(style.locale).forwarded
  const message = 'message' in one ? await findMessage({ store, ...objects }, tenant, one.message) : undefined
  if ('message' in one && !message) return undefined
  const written = 'message' in one ? undefined : one
  const said = (message?.body ?? written?.text ?? '').trim()
  const isCut = said.length > maxQuotedCharacters
  const body = isCut ? `${said.slice(0, maxQuotedCharacters).toWellFormed()}\n…` : said
  const sender = message && (sayAddress({ name: message.fromName, email: message.fromEmail }) || message.fromId)
  const head = [
    [words.from, sender ?? written?.from ?? ''],
    [words.date, sayTime(message?.receivedAtMs ?? written?.atMs ?? 0, style)],
    [words.subject, message?.subject ?? ''],
    [words.to, sayAddresses(message?.payload['to'])],
    [words.cc, sayAddresses(message?.payload['cc'])],
  ].flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${oneLine(String(value))}`]))
  const lines = [words.title, ...head]
  return {
    text: `\n\n${lines.join('\n')}\n\n${body}\n`,
    html: `\n<br><div class="gmail_quote"><div class="gmail_attr">${lines.map(escapeHtml).join('<br>')}</div><br><div style="white-space: pre-wrap">${escapeHtml(body)}</div></div>`,
  }
}

const sayAddresses = (named: unknown): string =>
  Array.isArray(named) ? (named as NamedAddress[]).map(sayAddress).filter(Boolean).join(', ') : ''

const sayAddress = ({ name, email }: NamedAddress): string =>
  name && email ? `${name} <${email}>` : (email ?? name ?? '')

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
