/** `POST /_local/mailbox`: somebody writes a mail to a mailbox of this machine, or answers one of the outbox. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import * as z from 'zod'
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

type Result = readonly [status: number, body: object]

/** Answers every request whose path starts with `/_local/mailbox`. */
export function serveMailbox(outbox: Pick<Outbox, 'find'>, mailboxes: Pick<Mailboxes, 'deliver'>) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const send = (status: number, body: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    answer(request).then(
      ([status, body]) => send(status, body),
      (error: Error) => send(400, failure('malformed_json', error.message)),
    )
  }

  async function answer(request: IncomingMessage): Promise<Result> {
    const { 'content-type': type = '' } = request.headers
    const given = await readText(request)
    // Pages of other sites cannot send JSON here.
    if (request.method !== 'POST' || !type.startsWith('application/json'))
      return [405, failure('method_not_allowed', 'POST {"to", "from", "subject", "text", "html"} as application/json.')]
    const body = JSON.parse(given) as unknown
    const mail = isAnswer(body) ? answered(body) : written(body)
    if ('problem' in mail) return mail.problem
    const { uid } = await mailboxes.deliver(mail.to, await writeMail(mail))
    return [201, { data: { to: mail.to, from: mail.from, subject: mail.subject, uid } }]
  }

  function answered(body: unknown): WrittenMail | { readonly problem: Result } {
    const given = Answer.safeParse(body)
    if (!given.success) return { problem: [422, failure('validation_failed', problemOf(given.error, Answer))] }
    const entry = outbox.find(given.data.answers)
    if (entry?.type !== 'mail')
      return {
        problem: [422, failure('validation_failed', `The outbox has no mail ${given.data.answers} (any more).`)],
      }
    const mail = answerTo(entry, given.data.text)
    return mail ?? { problem: [422, failure('validation_failed', 'The mail names nobody who could answer.')] }
  }

  function written(body: unknown): WrittenMail | { readonly problem: Result } {
    const given = Written.safeParse(body)
    if (!given.success) return { problem: [422, failure('validation_failed', problemOf(given.error, Written))] }
    const { from_name: fromName, ...mail } = given.data
    return { ...mail, fromName }
  }
}

const isAnswer = (body: unknown): boolean => typeof body === 'object' && body !== null && 'answers' in body

const problemOf = ({ issues }: z.ZodError, { shape }: z.ZodObject): string => {
  const problems = issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
  return `${problems.join('. ')}. The body may have ${Object.keys(shape).join(', ')}.`
}

const failure = (code: string, message: string): object => ({ success: false, code, message })
