/** `/_local/outbox`: the outbox as a page for people, and as JSON. For this machine only. */
import type { IncomingMessage } from 'node:http'
import { entryTypes, type Entry, type EntryType } from '../entry.ts'
import type { Outbox, OutboxFilter } from '../outbox.ts'
import { type Answer, failure, htmlPage, isRead, json, type Page, pageFile, sendAnswer } from './answer.ts'

const root = '/_local/outbox'

/** Answers every request whose path starts with `/_local/outbox`. */
export const serveOutbox =
  (outbox: Outbox): Page =>
  (request, response) =>
    sendAnswer(request, response, answerTo(outbox, request))

function answerTo(outbox: Outbox, { method = 'GET', url = '/', headers }: IncomingMessage): Answer {
  const address = URL.parse(url, 'http://localhost')
  const path = address?.pathname ?? ''
  const [, id, view] = /^\/_local\/outbox\/(\d{1,16})(?:\/(source|html))?$/.exec(path) ?? []
  const reads = isRead(method)
  if (path === root || path === `${root}/`) {
    if (reads && address) return list(outbox, address.searchParams, headers)
    if (method !== 'DELETE') return notAllowed(method)
    outbox.clear()
    return { status: 204 }
  }
  const file = pageFile(path.slice(root.length + 1))
  if (file && reads) return file
  if (id === undefined) return failure(404, 'not_found', `There is no ${path}. The outbox is at ${root}.`)
  if (reads) return showOne(outbox.find(Number(id)), view)
  if (method !== 'DELETE' || view !== undefined) return notAllowed(method)
  return outbox.remove(Number(id)) ? { status: 204 } : gone
}

/** A page when a browser asks for one, else JSON. */
function list(outbox: Outbox, query: URLSearchParams, headers: IncomingMessage['headers']): Answer {
  if (headers.accept?.includes('text/html')) return htmlPage(pageFile('index.html')?.body ?? '')
  const [type, limit] = [query.get('type') || undefined, Number(query.get('limit') ?? 1_000)]
  if (type !== undefined && !isType(type))
    return failure(422, 'validation_failed', `type is one of ${entryTypes.join(', ')}, not "${type}".`)
  if (!Number.isInteger(limit) || limit < 1) return failure(422, 'validation_failed', 'limit is a whole number from 1.')
  const etag = `"${outbox.version}"`
  const caching = { etag, vary: 'accept' }
  if (headers['if-none-match'] === etag) return { status: 304, headers: caching }
  const filter: OutboxFilter = { to: query.get('to') ?? undefined, q: query.get('q') ?? undefined }
  const found = outbox.list(filter)
  const counts = Object.fromEntries(entryTypes.map((one) => [one, found.filter((entry) => entry.type === one).length]))
  const chosen = type === undefined ? found : found.filter((entry) => entry.type === type)
  const shown = chosen.slice(0, limit).map(query.get('summary') === 'true' ? summary : (entry: Entry) => entry)
  return json({ data: shown, meta: { total: chosen.length, counts } }, { headers: caching })
}

const isType = (text: string): text is EntryType => (entryTypes as readonly string[]).includes(text)

const summaryLength = 160
/** What a row of the list shows. */
const summary = ({ id, at, type, to, from, subject, text, meta }: Entry): object => ({
  id,
  at,
  type,
  to,
  from,
  subject,
  text: text.slice(0, summaryLength),
  meta: { status: meta['status'], error: meta['error'] },
})

function showOne(entry: Entry | undefined, view: string | undefined): Answer {
  if (!entry) return gone
  if (view === 'source') return { status: 200, type: 'text/plain; charset=utf-8', body: entry.source }
  if (view === undefined) return json({ data: entry })
  return entry.html === undefined ? failure(404, 'not_found', 'This message has no HTML.') : mailDocument(entry.html)
}

/** No script, no request to anybody: a mail may be hostile. Its links open in another window. */
const mailPolicy =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'; frame-ancestors 'self'"

/** The HTML of a mail as a document of its own. */
const mailDocument = (html: string): Answer => ({
  status: 200,
  type: 'text/html; charset=utf-8',
  body: `<!doctype html><meta charset="utf-8"><base target="_blank">${html}`,
  headers: { 'content-security-policy': mailPolicy },
})

const gone = failure(404, 'not_found', 'The outbox has no such message (any more).')
const notAllowed = (method: string): Answer =>
  failure(405, 'method_not_allowed', `The outbox does not know ${method} here.`)
