/**
 * `POST /_local/mailbox`: somebody writes a mail to a mailbox of this machine, answers one of the outbox, or hands over an
 * .eml file as it is.
 */
import type { IncomingMessage } from 'node:http'
import * as z from 'zod'
import { readMail } from '../mail/read-mail.ts'
import { answerTo, writeMail, type WrittenMail } from '../mail/write-answer.ts'
import type { Outbox } from '../outbox.ts'
import type { Mailboxes } from '../servers/imap/mailboxes.ts'
import { type Answer, failure, json, type Page } from './answer.ts'
import { invalid, problemOf, serveWriting } from './serve-writing.ts'

const Text = z.string().min(1).max(100_000)
const Answering = z.strictObject({ answers: z.int().positive(), text: Text })
const Written = z.strictObject({
  to: z.email(),
  from: z.email(),
  from_name: z.string().max(200).optional(),
  subject: z.string().max(500).default(''),
  text: Text,
  html: Text.optional(),
})

const maxMailboxes = 50
const usage =
  'POST {"to", "from", "subject", "text", "html"} as application/json, or an .eml file as message/rfc822 or text/plain.'

/** Answers every request whose path starts with `/_local/mailbox`. */
export function serveMailbox(outbox: Pick<Outbox, 'find'>, mailboxes: Pick<Mailboxes, 'deliver'>): Page {
  return serveWriting(answer)

  async function answer({ method, headers, url = '' }: IncomingMessage, given: Buffer): Promise<Answer> {
    const [type = ''] = (headers['content-type'] ?? '').toLowerCase().split(/[;\s]/)
    if (method !== 'POST') return failure(405, 'method_not_allowed', usage)
    // Pages of other sites can send plain text here, and cannot send JSON.
    if (type === 'message/rfc822' || type === 'text/plain')
      return isOfOtherSite(headers)
        ? failure(403, 'forbidden', 'Pages of other sites may not write to the mailboxes of this machine.')
        : raw(given, URL.parse(url, 'http://localhost')?.searchParams.getAll('to') ?? [])
    if (type !== 'application/json') return failure(405, 'method_not_allowed', usage)
    const body = JSON.parse(given.toString()) as unknown
    const mail = isAnswer(body) ? await answered(body) : written(body)
    if ('problem' in mail) return mail.problem
    const { uid } = await mailboxes.deliver(mail.to, await writeMail(mail))
    return json({ data: { to: mail.to, from: mail.from, subject: mail.subject, uid } }, { status: 201 })
  }

  /** `named`: the mailboxes of the address; without any, those that the mail is for. */
  async function raw(given: Buffer, named: readonly string[]): Promise<Answer> {
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
    return json({ data: { ...filled[0], from, subject, mailboxes: filled } }, { status: 201 })
  }

  async function answered(body: unknown): Promise<WrittenMail | { readonly problem: Answer }> {
    const given = Answering.safeParse(body)
    if (!given.success) return { problem: invalid(problemOf(given.error, Answering)) }
    const entry = outbox.find(given.data.answers)
    if (entry?.type !== 'mail') return { problem: invalid(`The outbox has no mail ${given.data.answers} (any more).`) }
    return (await answerTo(entry, given.data.text)) ?? { problem: invalid('The mail names nobody who could answer.') }
  }

  function written(body: unknown): WrittenMail | { readonly problem: Answer } {
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
