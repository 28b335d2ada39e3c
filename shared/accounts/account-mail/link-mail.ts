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

/** A page of the web app, which reads the token from its path; without a web app the service's own at the same path. */
export const linkTo = (
  { appUrl, publicUrl }: LinkAddresses,
  page: '/join' | '/password/reset' | '/email/verify',
  token: string,
): string => `${(appUrl ?? publicUrl).replace(/\/+$/, '')}${page}/${token}`

/** The parts of a mail that invites its reader to follow a link. */
export interface LinkMail {
  readonly to: string
  readonly subject: string
  /** Paragraphs before the link. */
  readonly before: readonly string[]
  /** The text of the link. */
  readonly action: string
  readonly link: string
  /** Paragraphs after the link. */
  readonly after: readonly string[]
}

/** The mail in plain text and in simple HTML. */
export function writeLinkMail({ to, subject, before, action, link, after }: LinkMail): WrittenMail {
  const htmlLink = `<p><a href="${escapeHtml(link)}">${escapeHtml(action)}</a></p><p>${escapeHtml(link)}</p>`
  return {
    to,
    subject,
    text: `${[...before, `${action}:\n${link}`, ...after].join('\n\n')}\n`,
    html: `<!doctype html><html><body>${paragraphs(before)}${htmlLink}${paragraphs(after)}</body></html>`,
  }
}

const paragraphs = (texts: readonly string[]): string => texts.map((text) => `<p>${escapeHtml(text)}</p>`).join('')
