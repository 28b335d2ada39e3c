import * as z from 'zod'
import { maxHeaderCharacters } from '../../../kernel/limits/messages.ts'

/* The headers that a channel adds to its requests over HTTP. */

/**
 * Headers of the connection, and of how a message is framed (RFC 9110 §7.6.1, §10.1.1; RFC 9112 §6): with them a receiver,
 * or a proxy before it, would read another request than the one that was sent.
 */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Headers with which the service says who it is and what it sends. */
const ofService = /^(?:webhook-.*|proxy-.*|user-agent|idempotency-key)$/

const isReserved = (name: string): boolean => {
  const known = name.toLowerCase()
  return ofConnection.has(known) || ofService.test(known)
}

const headerName = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,100}$/, { error: 'The name of a header has letters, digits and dashes.' })
  .refine((name) => !isReserved(name), {
    error: ({ input }) => `The header ${String(input)} belongs to the service or to the connection: leave it out.`,
  })

const hasNoControls = (value: string): boolean => !/\p{Cc}/u.test(value)
const noControls = { error: 'A header may not hold control characters.' }

/** What HTTP carries in a header (RFC 9110 §5.5); Node refuses to send any other character. */
export const headerValue = z
  .string()
  .max(maxHeaderCharacters)
  .refine(hasNoControls, noControls)
  .refine((value) => /^[^\u0100-\uffff]*$/.test(value), { error: 'A header may hold only characters of Latin-1.' })

/** Without line breaks, of any language: it is encoded before it is sent. */
export const userName = z.string().max(maxHeaderCharacters).refine(hasNoControls, noControls)

/** The header by which a receiver knows the service. */
export const authHeader = z.strictObject({ type: z.literal('header'), name: headerName, value: headerValue.min(1) })

/** Names are the same in any case, so each may be given once. */
export const extraHeaders = z.record(headerName, headerValue).superRefine((headers, context) => {
  const known = new Set<string>()
  for (const name of Object.keys(headers)) {
    if (known.has(name.toLowerCase()))
      context.addIssue({ code: 'custom', path: [name], message: `The header ${name} is named twice.` })
    known.add(name.toLowerCase())
  }
})
