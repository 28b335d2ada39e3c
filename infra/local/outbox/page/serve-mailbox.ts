/**
 * `POST /_local/mailbox`: somebody writes a mail to a mailbox of this machine, answers one of the outbox, or hands over an
 * .eml file as it is.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as z from 'zod'
import { collectBody } from '../../gateway/request-body.ts'
import { readMail } from '../mail/read-mail.ts'
import { answerTo, writeMail, type WrittenMail } from '../mail/write-answer.ts'
import type { Outbox } from '../outbox.ts'
import type { Mailboxes } from '../servers/imap/mailboxes.ts'

const Text = z.string().min(1).max(100_000)
const Answer = z.strictObject({ answers: z.int().positive(), text: Text })
const Written = z.strictObject({
  to: z.email(),
  from: z.email(),
  from_name: z.string().max(200).optional(),
  subject: z.string().max(500).default(''),
  text: Text,
  html: Text.optional(),
})

const maxBytes = 25 * 1024 * 1024
const maxMailboxes = 50
const usage =
  'POST {"to", "from", "subject", "text", "html"} as application/json, or an .eml file as message/rfc822 or text/plain.'

type Result = readonly [status: number, body: object]

/** Answers every request whose path starts with `/_local/mailbox`. */
export function serveMailbox(outbox: Pick<Outbox, 'find'>, mailboxes: Pick<Mailboxes, 'deliver'>) {
  const held = { bytes: 0 }

  return (request: IncomingMessage, response: ServerResponse): void => {
    const send = ([status, body]: Result): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const done = (body: Buffer | undefined | 'too large' | 'too many'): void => {
      if (body === 'too large') return send([413, failure('body_too_large', 'A mailbox takes mails up to 25 MB.')])
      if (body === 'too many') return send([503, failure('service_unavailable', 'Too many mails at once: try again.')])
      answer(request, body ?? Buffer.alloc(0)).then(send, (error: Error) =>
        send([400, failure('malformed_json', error.message)]),
      )
    }
    collectBody(request, response, held, done, maxBytes)
  }

  async function answer({ method, headers, url = '' }: IncomingMessage, given: Buffer): Promise<Result> {
    const [type = ''] = (headers['content-type'] ?? '').toLowerCase().split(/[;\s]/)
    if (method !== 'POST') return [405, failure('method_not_allowed', usage)]
    // Pages of other sites can send plain text here, and cannot send JSON.
    if (type === 'message/rfc822' || type === 'text/plain')
      return isOfOtherSite(headers)
        ? [403, failure('forbidden', 'Pages of other sites may not write to the mailboxes of this machine.')]
        : raw(given, URL.parse(url, 'http://localhost')?.searchParams.getAll('to') ?? [])
    if (type !== 'application/json') return [405, failure('method_not_allowed', usage)]
    const body = JSON.parse(given.toString()) as unknown
    const mail = isAnswer(body) ? await answered(body) : written(body)
    if ('problem' in mail) return mail.problem
    const { uid } = await mailboxes.deliver(mail.to, await writeMail(mail))
    return [201, { data: { to: mail.to, from: mail.from, subject: mail.subject, uid } }]
  }

  /** `named`: the mailboxes of the address; without any, those that the mail is for. */
  async function raw(given: Buffer, named: readonly string[]): Promise<Result> {
    const source = asSent(given)
    const head = /^[!-9;-~]+:[^]*?(?:\r\n\r\n|$)/.exec(source.toString('latin1'))?.[0]
    if (!head?.includes('\n'))
      return invalid('This is no mail: it begins with lines such as "From: ann@example.com". Send the file as it is.')
    const { from, subject, recipients } = await readMail(Buffer.from(head, 'latin1'))
    const addresses = [...new Set((named.length > 0 ? named : recipients).map((address) => address.toLowerCase()))]
    const wrong = named.find((address) => !z.email().safeParse(address).success)
    if (wrong !== undefined) return invalid(`to: "${wrong}" is no mail address.`)
    if (addresses.length === 0)
      return invalid('The mail names no recipient in To, Cc or Bcc: name a mailbox by ?to=support@demo.example.')
    if (addresses.length > maxMailboxes)
      return invalid(`The mail has ${addresses.length} recipients, of ${maxMailboxes} at most: name a mailbox by ?to=.`)
    const filled: { to: string; uid: number }[] = []
    for (const to of addresses) filled.push({ to, uid: (await mailboxes.deliver(to, source)).uid })
    return [201, { data: { ...filled[0], from, subject, mailboxes: filled } }]
  }

  async function answered(body: unknown): Promise<WrittenMail | { readonly problem: Result }> {
    const given = Answer.safeParse(body)
    if (!given.success) return { problem: invalid(problemOf(given.error, Answer)) }
    const entry = outbox.find(given.data.answers)
    if (entry?.type !== 'mail') return { problem: invalid(`The outbox has no mail ${given.data.answers} (any more).`) }
    return (await answerTo(entry, given.data.text)) ?? { problem: invalid('The mail names nobody who could answer.') }
  }

  function written(body: unknown): WrittenMail | { readonly problem: Result } {
    const given = Written.safeParse(body)
    if (!given.success) return { problem: invalid(problemOf(given.error, Written)) }
    const { from_name: fromName, ...mail } = given.data
    return { ...mail, fromName }
  }
}

const isAnswer = (body: unknown): boolean => typeof body === 'object' && body !== null && 'answers' in body

/** A browser names the origin of the page that sends something. */
const isOfOtherSite = ({ origin, host }: IncomingMessage['headers']): boolean =>
  origin !== undefined && origin !== `http://${host}`

/** As a mail server would show it: without the line that separates mails of an mbox file, its lines ended by CRLF. */
function asSent(given: Buffer): Buffer {
  const text = given.toString('latin1').replace(/^(?:\xef\xbb\xbf)?(?:From [^\n]*\n)?/, '')
  return Buffer.from(text.includes('\r\n') ? text : text.replaceAll('\n', '\r\n'), 'latin1')
}

const problemOf = ({ issues }: z.ZodError, { shape }: z.ZodObject): string => {
  const problems = issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
  return `${problems.join('. ')}. The body may have ${Object.keys(shape).join(', ')}.`
}

const failure = (code: string, message: string): object => ({ success: false, code, message })
const invalid = (message: string): Result => [422, failure('validation_failed', message)]
