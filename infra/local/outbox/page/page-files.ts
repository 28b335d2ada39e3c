/** The documents of the outbox, with the policy under which a browser shows each. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Document {
  readonly type: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

const types: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'page.css': 'text/css; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'entry-list.js': 'text/javascript; charset=utf-8',
  'entry-view.js': 'text/javascript; charset=utf-8',
  'write-mail.js': 'text/javascript; charset=utf-8',
  'elements.js': 'text/javascript; charset=utf-8',
}

/** Its own files, the answers of this service, and mails in a frame. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

let files: Readonly<Record<string, Document>> | undefined

/** The files of the page by name, read when they are first asked for. */
export function pageFiles(): Readonly<Record<string, Document>> {
  files ??= Object.fromEntries(
    Object.entries(types).map(([name, type]) => [
      name,
      {
        type,
        body: readFileSync(join(import.meta.dirname, 'browser', name), 'utf8'),
        headers: { 'content-security-policy': pagePolicy },
      },
    ]),
  )
  return files
}

/** No script, no request to anybody: a mail may be hostile. Its links open in another window. */
const mailPolicy = [
  'sandbox allow-popups allow-popups-to-escape-sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

/** The HTML of a mail as a document of its own. */
export const mailDocument = (html: string): Document => ({
  type: 'text/html; charset=utf-8',
  body: `<!doctype html><meta charset="utf-8"><base target="_blank">${html}`,
  headers: { 'content-security-policy': mailPolicy },
})
