import { createHash } from 'node:crypto'
import type { SmtpSettings } from './mail-settings.ts'
import { connectSmtp, type Envelope, type SmtpConnection, SmtpError, type SmtpOptions } from './smtp-connection.ts'

interface Pooled {
  readonly connection: SmtpConnection
  /** How many mails went through it. */
  sent: number
  closing?: NodeJS.Timeout
}

/** Servers end connections that stay idle for minutes; ours end before. */
const idleMs = 10_000
/** Of one server, and of all: a function instance may have 1,024 files open. */
const maxIdle = { ofServer: 5, ofAll: 100 } as const
/** Many servers allow no more mails a connection. */
const maxMails = 100
/** How long an idle connection may take to show that it is alive. */
const aliveWithinMs = 2_000

/**
 * Keeps connections to mail servers open between mails: TCP, TLS and login take longer than a mail. They are kept by the
 * whole settings, so changed ones never meet an old connection. nodemailer's own pool is not used: it sends a mail again by
 * itself when a connection is lost, and has no limit of time for a mail.
 */
export function createSmtpPool(options: SmtpOptions) {
  const idle = new Map<string, Set<Pooled>>()
  let idleCount = 0

  /** An idle connection that still answers (RSET, as Postfix asks before a reuse), else a new one. */
  async function take(key: string, settings: SmtpSettings, signal: AbortSignal): Promise<Pooled> {
    for (const pooled of idle.get(key) ?? []) {
      forget(key, pooled)
      const { connection } = pooled
      connection.hold(true)
      if (await connection.isAlive(AbortSignal.any([signal, AbortSignal.timeout(aliveWithinMs)]))) return pooled
      connection.destroy()
    }
    return { connection: await connectSmtp(settings, options, signal), sent: 0 }
  }

  function giveBack(key: string, pooled: Pooled): void {
    const others = idle.get(key) ?? new Set()
    const isFull = others.size >= maxIdle.ofServer || idleCount >= maxIdle.ofAll
    if (isFull || pooled.sent >= maxMails) return pooled.connection.quit()
    idle.set(key, others.add(pooled))
    idleCount += 1
    pooled.connection.hold(false)
    pooled.closing = setTimeout(() => {
      forget(key, pooled)
      pooled.connection.quit()
    }, idleMs).unref()
  }

  function forget(key: string, pooled: Pooled): void {
    clearTimeout(pooled.closing)
    const others = idle.get(key)
    if (others?.delete(pooled)) idleCount -= 1
    if (others?.size === 0) idle.delete(key)
  }

  /** Hands a message over and answers what the server said. Throws SmtpError. */
  return async (settings: SmtpSettings, envelope: Envelope, message: Buffer, signal: AbortSignal): Promise<string> => {
    const key = keyOf(settings)
    const pooled = await take(key, settings, signal)
    try {
      pooled.sent += 1
      const answer = await pooled.connection.send(envelope, message, signal)
      giveBack(key, pooled)
      return answer
    } catch (error) {
      // After an answer to this mail alone the connection is as good as before.
      if (error instanceof SmtpError && isAnswerToMail(error.cause)) giveBack(key, pooled)
      else pooled.connection.destroy()
      throw error
    }
  }
}

const isAnswerToMail = (error: unknown): boolean => {
  const { responseCode = 0, code = '' } = error as { responseCode?: number; code?: string }
  return responseCode > 421 && (code === 'EENVELOPE' || code === 'EMESSAGE')
}

const keyOf = (settings: SmtpSettings): string => createHash('sha256').update(JSON.stringify(settings)).digest('hex')
