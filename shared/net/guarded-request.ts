import { lookup as systemLookup } from 'node:dns'
import { type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isLoopback, isPublicAddress } from '../kernel/ip-address.ts'
import { log } from '../kernel/log.ts'

/** The address is not of the public internet, so nothing was sent. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

/** A request to an address that a tenant chose. */
export interface GuardedRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface GuardedAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The beginning of the body, as UTF-8. */
  readonly excerpt: string
}

interface GuardOptions {
  /** Permits addresses of this machine: only the local runtime sets it. */
  readonly allowLoopback: boolean
  /** From the start of the look-up to the end of the answer. */
  readonly timeoutMs: number
  readonly maxAnswerBytes: number
  /** Default: the resolver of the system. */
  readonly lookup?: typeof systemLookup
}

export type SendGuarded = (request: GuardedRequest) => Promise<GuardedAnswer>

/**
 * Sends requests to public addresses only. The address that was checked is the one that is connected to, so a name that
 * resolves differently the next time gains nothing. Redirects are not followed. Throws AddressRefused, TimeoutError and
 * the errors of the network.
 */
export function guardedRequests({
  allowLoopback,
  timeoutMs,
  maxAnswerBytes,
  lookup = systemLookup,
}: GuardOptions): SendGuarded {
  const isAllowed = (address: string): boolean => isPublicAddress(address) || (allowLoopback && isLoopback(address))

  /** Resolves a name, and refuses it when one of its addresses is not allowed. */
  const checkedLookup: LookupFunction = (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const refused = error ? undefined : addresses.find(({ address }) => !isAllowed(address))
      const problem = refused
        ? new AddressRefused(`${hostname} has the address ${refused.address}, which is not public.`)
        : error
      if (problem) return callback(problem, '', 0)
      if (options.all) return callback(null, addresses)
      const [first] = addresses
      return first
        ? callback(null, first.address, first.family)
        : callback(new Error(`${hostname} has no address`), '', 0)
    })
  }

  return async ({ method, url, headers, body }) => {
    const { protocol, hostname, href } = new URL(url)
    if (protocol !== 'http:' && protocol !== 'https:')
      throw new AddressRefused(`${protocol} is neither http nor https.`)
    // For an IP address Node asks no lookup.
    const literal = hostname.replace(/^\[|\]$/g, '')
    if (isIP(literal) !== 0 && !isAllowed(literal)) throw new AddressRefused(`The address ${literal} is not public.`)
    const open = protocol === 'https:' ? httpsRequest : httpRequest
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      return await new Promise<GuardedAnswer>((resolve, reject) => {
        let isAnswered = false
        const sent = open(href, { method, headers, agent: false, lookup: checkedLookup, signal }, (answer) => {
          isAnswered = true
          const { statusCode: status = 0, headers: received } = answer
          void readBeginning(answer, maxAnswerBytes).then((excerpt) => resolve({ status, headers: received, excerpt }))
        })
        sent.on('error', (error) => {
          if (!isAnswered) reject(error)
        })
        sent.end(body)
      })
    } catch (error) {
      throw signal.aborted ? signal.reason : error
    }
  }
}

/**
 * Reads so many bytes of an answer, and ends the connection when there are more. The status has been received: a body
 * that breaks off or does not end in time is answered as far as it came.
 */
async function readBeginning(answer: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= maxBytes) break
    }
  } catch (cause) {
    log.debug('the body of an answer broke off', { cause: String(cause) })
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString().toWellFormed()
}
