import { ForbiddenHost } from '../../kernel/addresses/public-address.ts'
import { say } from '../../kernel/failures/sentence.ts'
import { maxReplyExcerptCharacters } from '../../kernel/limits/messages.ts'
import { oneLine } from './mail-address.ts'
import type { SmtpSettings } from './mail-settings.ts'
import type { MailOutcome } from './mail.ts'
import { SmtpError } from './smtp-connection.ts'

/** What nodemailer and Node tell about a failure. */
interface Fault {
  readonly name: string
  readonly message: string
  readonly code: string
  /** The whole answer of the server, and its code. */
  readonly response: string
  readonly responseCode: number
  /** The command that was answered, such as `RCPT TO`. */
  readonly command: string
}

/** RFC 4954: a login is needed, wrong, too weak, or needs TLS first. */
const loginCodes: ReadonlySet<number> = new Set([530, 534, 535, 538])
const unknown = ' Whether it accepted the mail is not known.'

/** The outcome of a mail that the server accepted. */
export const smtpSuccess = (response: string, settings: SmtpSettings): MailOutcome => ({
  kind: 'delivered',
  code: response.slice(0, 3),
  excerpt: excerptOf(response, settings),
})

/**
 * What an error means for the mail. A 5xx to sender, recipient or content refuses it. Everything that the settings or the
 * server as a whole cause is worth another attempt, because people mend it: a wrong login (Postfix:
 * `smtp_sasl_auth_soft_bounce`), a 5xx greeting (`smtp_skip_5xx_greeting`), TLS, an unreachable host.
 */
export function smtpFailure(error: unknown, settings: SmtpSettings, timeoutMs: number): MailOutcome {
  const { stage, cause } = error instanceof SmtpError ? error : { stage: 'mail' as const, cause: error }
  if (cause instanceof ForbiddenHost)
    return { kind: 'refused', by: 'service', error: say('mail_server_not_public', { host: settings.host }).message }
  const fault = faultOf(cause)
  const { responseCode, code } = fault
  if (responseCode >= 400) return answered(fault, settings)
  const maybeSent = stage === 'mail' ? unknown : ''
  if (fault.name === 'TimeoutError' || code === 'ETIMEDOUT')
    return failed(say('mail_server_silent', { seconds: timeoutMs / 1000 }).message + maybeSent)
  if (code === 'EMESSAGE') return { kind: 'refused', by: 'receiver', error: say('mail_too_large', {}).message }
  if (code === 'EAUTH') return failed('The login is incomplete: a username needs a password.')
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return failed(say('mail_server_unknown', { host: settings.host }).message)
  if (
    fault.response === '' &&
    settings.encryption !== 'none' &&
    /certificate|altnames|\bTLS\b|\bSSL\b|STARTTLS/i.test(fault.message)
  )
    return failed(`TLS with the mail server failed: ${tlsProblem(fault.message)}.`)
  if (code === 'ECONNECTION' || code === 'ECONNRESET' || code === 'ESOCKET' || code === 'EPIPE')
    return failed(`The mail server ended the connection.${maybeSent}`)
  return failed(say('mail_server_unreachable', { why: code || fault.name || 'unknown error' }).message + maybeSent)
}

/** The first clause: what follows is advice for programmers. */
const tlsProblem = (message: string): string => (oneLine(message).split(';')[0] as string).slice(0, 200)

const failed = (error: string): MailOutcome => ({ kind: 'failed', error })

function answered({ response, responseCode, command, code }: Fault, settings: SmtpSettings): MailOutcome {
  const answer = { code: String(responseCode), excerpt: excerptOf(response, settings) }
  const isLogin = command.startsWith('AUTH') || loginCodes.has(responseCode)
  // Some servers repeat the login that they refuse.
  if (isLogin)
    return {
      kind: 'failed',
      code: answer.code,
      error: `The mail server refused the login: it answered ${responseCode}. Check username, ${settings.accessToken === undefined ? 'password' : 'the rights of the application'} and encryption.`,
    }
  if (command === 'STARTTLS')
    return {
      kind: 'failed',
      ...answer,
      error: `The mail server answered ${responseCode} to STARTTLS: use another encryption, or have it offered.`,
    }
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE')
    return { kind: 'failed', ...answer, error: `The mail server refused the connection: it answered ${responseCode}.` }
  const step = /^[A-Z]+/.exec(command)?.[0] ?? 'the mail'
  const error = `The mail server answered ${responseCode} to ${step}.`
  return responseCode >= 500
    ? { kind: 'refused', by: 'receiver', ...answer, error }
    : { kind: 'failed', ...answer, error }
}

/** The beginning of an answer on one line, without the login in any form that was sent. */
function excerptOf(response: string, { username, password, accessToken }: SmtpSettings): string {
  const base64 = (text: string): string => Buffer.from(text).toString('base64')
  const sent = [
    accessToken,
    password,
    username,
    ...(username === undefined ? [] : [base64(`\0${username}\0${password ?? ''}`), base64(username)]),
    ...(password === undefined ? [] : [base64(password)]),
  ]
  const hidden = sent.reduce<string>((text, word) => (word ? text.replaceAll(word, '***') : text), oneLine(response))
  return hidden.slice(0, maxReplyExcerptCharacters).toWellFormed()
}

/** The members of an error, where it has them. */
const faultOf = (cause: unknown): Fault => {
  const { response = '', responseCode = 0, command = '', code = '' } = cause as Partial<Fault>
  const { name, message } = cause instanceof Error ? cause : new Error(String(cause))
  return { name, message, code, response, responseCode, command }
}
