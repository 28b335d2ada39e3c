import { isMailAddress } from './mail-address.ts'
import { writeMessage } from './mail-message.ts'
import type { GraphSettings } from './mail-settings.ts'
import type { MailOutcome, SendMail } from './mail.ts'
import { createSesSender, type SendBySes } from './ses.ts'
import type { SmtpOptions } from './smtp-connection.ts'
import { smtpFailure, smtpSuccess } from './smtp-outcome.ts'
import { createSmtpPool } from './smtp-pool.ts'

/** Hands a message over to Microsoft Graph. Answers what became of it. */
export type SendByGraph = (settings: GraphSettings, message: Buffer, signal: AbortSignal) => Promise<MailOutcome>

export interface MailSenderOptions extends SmtpOptions {
  /** From the look-up of the name to the last answer, beside what the bytes of a large mail take. */
  readonly timeoutMs?: number
  readonly sendBySes?: SendBySes
  readonly sendByGraph?: SendByGraph
  /** Of SES; none when undefined. */
  readonly configurationSet?: string | undefined
}

/** A server takes at least a megabyte a second of a large mail. */
const bytesPerMs = 1_000

const refused = (error: string): MailOutcome => ({ kind: 'refused', by: 'service', error })

/**
 * Creates a sender of mails by SMTP, SES and Microsoft Graph. Each mail goes to exactly its address and those of its copies: addresses that are anything else
 * are refused, and the envelope never comes from a header. Servers must be public, and their certificates valid.
 */
export function createMailSender({
  timeoutMs = 15_000,
  configurationSet,
  sendByGraph,
  sendBySes = createSesSender(undefined, configurationSet),
  ...options
}: MailSenderOptions): SendMail {
  const send = createSmtpPool(options)

  return async (settings, mail) => {
    const { fromAddress } = settings
    if (!isMailAddress(mail.to))
      return refused('The address of the recipient is malformed: one plain address is needed.')
    if (!(mail.cc ?? []).every(isMailAddress))
      return refused('The address of a copy is malformed: plain addresses are needed.')
    if (!isMailAddress(fromAddress))
      return refused('The address of the sender is malformed: one plain address is needed.')
    if (!/^[\w.-]{1,100}$/.test(mail.id)) throw new RangeError(`the id of a mail is malformed: ${mail.id}`)
    const message = await writeMessage(settings, mail)
    const envelope = { from: fromAddress, to: mail.to, cc: mail.cc ?? [] }
    const allowedMs = timeoutMs + Math.floor(message.byteLength / bytesPerMs)
    const signal = AbortSignal.timeout(allowedMs)
    if (settings.transport === 'graph')
      return sendByGraph?.(settings, message, signal) ?? refused('Nothing sends by Microsoft Graph here.')
    if (settings.transport === 'ses') return sendBySes(settings, envelope, message, signal)
    try {
      return smtpSuccess(await send(settings, envelope, message, signal), settings)
    } catch (error) {
      return smtpFailure(error, settings, allowedMs)
    }
  }
}
