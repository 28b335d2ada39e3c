import * as z from 'zod'
import { ForbiddenHost } from '../../kernel/addresses/public-address.ts'
import { maxReplyExcerptCharacters } from '../../kernel/limits/messages.ts'
import { oneLine } from '../../platform/mail/mail-address.ts'
import type { MailOutcome } from '../../platform/mail/mail.ts'
import type { SendByGraph } from '../../platform/mail/send-mail.ts'
import type { FetchPublic } from '../../platform/net/guarded-request.ts'

const Refusal = z.object({ error: z.object({ code: z.string(), message: z.string().optional() }) })

/**
 * Hands a message over to Microsoft Graph as MIME, which goes to the recipients in its headers and is kept among the sent mails
 * of the mailbox (https://learn.microsoft.com/graph/api/user-sendmail). Answers what became of it.
 */
export const graphSender =
  (fetchPublic: FetchPublic): SendByGraph =>
  async ({ base, user, accessToken }, message, signal) => {
    let response: Response
    try {
      response = await fetchPublic(`${base}/users/${encodeURIComponent(user)}/sendMail`, {
        method: 'POST',
        headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'text/plain' },
        body: message.toString('base64'),
        signal,
      })
    } catch (error) {
      return unanswered(error, new URL(base).host)
    }
    const { status } = response
    if (status >= 200 && status < 300) return { kind: 'delivered', code: String(status) }
    return refusalOf(status, await response.json().catch(() => undefined), user)
  }

function unanswered(error: unknown, host: string): MailOutcome {
  if (error instanceof ForbiddenHost)
    return {
      kind: 'refused',
      by: 'service',
      error: `Microsoft Graph at ${host} is not on the public internet, or not https.`,
    }
  const { name, code } = error as NodeJS.ErrnoException
  if (name === 'TimeoutError' || name === 'AbortError')
    return {
      kind: 'failed',
      error: 'Microsoft Graph did not answer in time. Whether it accepted the mail is not known.',
    }
  return { kind: 'failed', error: `Microsoft Graph could not be reached: ${code ?? 'no connection'}.` }
}

/** What the mailbox or the application causes is worth another attempt, because people mend it. */
function refusalOf(status: number, body: unknown, user: string): MailOutcome {
  const said = Refusal.safeParse(body)
  const { code: word = '', message: words = '' } = said.success ? said.data.error : {}
  const excerpt = oneLine([word, words].filter(Boolean).join(': ')).slice(0, maxReplyExcerptCharacters).toWellFormed()
  const answer = { code: String(status), ...(excerpt !== '' && { excerpt }) }
  if (status === 413)
    return { kind: 'refused', by: 'receiver', ...answer, error: 'The mail is larger than Microsoft Graph takes.' }
  if (status === 400 || status === 422)
    return {
      kind: 'refused',
      by: 'receiver',
      ...answer,
      error: `Microsoft Graph refused the mail: it answered ${status}.`,
    }
  const why =
    status === 401
      ? 'refused the token'
      : status === 403
        ? `does not let the application send as ${user}: give it the right Mail.Send`
        : status === 404
          ? `knows no mailbox ${user}`
          : 'did not accept the mail'
  return { kind: 'failed', ...answer, error: `Microsoft Graph ${why}: it answered ${status}.` }
}
