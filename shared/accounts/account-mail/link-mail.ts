import { escapeHtml } from '../../kernel/text/escape-html.ts'
import type { Mail } from '../../platform/mail/mail.ts'

/** A mail before its sender gives it an id and a date. */
export type WrittenMail = Omit<Mail, 'id' | 'createdAtMs'>

/** The base addresses of links. */
export interface LinkAddresses {
  /** The web app, if there is one. */
  readonly appUrl?: string
  /** The API. */
  readonly publicUrl: string
}

/** What the reader of a mail follows: a page, or without a web app a token and the endpoint that takes it. */
export type Link = { readonly url: string } | { readonly endpoint: string; readonly token: string }

/** A page of the web app, which reads the token from its path; without a web app the endpoint of the API. */
export function linkTo(
  { appUrl, publicUrl }: LinkAddresses,
  { page, endpoint }: { readonly page: string; readonly endpoint: string },
  token: string,
): Link {
  const base = (address: string): string => address.replace(/\/+$/, '')
  return appUrl === undefined
    ? { endpoint: `${base(publicUrl)}${endpoint}`, token }
    : { url: `${base(appUrl)}${page}/${token}` }
}

/** The parts of a mail that invites its reader to follow a link. */
export interface LinkMail {
  readonly to: string
  readonly subject: string
  /** Paragraphs before the link. */
  readonly before: readonly string[]
  /** The text of the link. */
  readonly action: string
  readonly link: Link
  /** Paragraphs after the link. */
  readonly after: readonly string[]
}

/** The mail in plain text and in simple HTML. */
export function writeLinkMail({ to, subject, before, action, link, after }: LinkMail): WrittenMail {
  const shown = 'url' in link ? link.url : `Send this token with POST to ${link.endpoint}:\n${link.token}`
  const htmlLink =
    'url' in link
      ? `<p><a href="${escapeHtml(link.url)}">${escapeHtml(action)}</a></p><p>${escapeHtml(link.url)}</p>`
      : `<p>${escapeHtml(action)}. Send this token with POST to ${escapeHtml(link.endpoint)}:</p><pre>${escapeHtml(link.token)}</pre>`
  return {
    to,
    subject,
    text: `${[...before, `${action}:\n${shown}`, ...after].join('\n\n')}\n`,
    html: `<!doctype html><html><body>${paragraphs(before)}${htmlLink}${paragraphs(after)}</body></html>`,
  }
}

const paragraphs = (texts: readonly string[]): string => texts.map((text) => `<p>${escapeHtml(text)}</p>`).join('')
