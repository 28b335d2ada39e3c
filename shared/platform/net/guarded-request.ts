import { Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isLoopback } from '../../kernel/addresses/ip-address.ts'
import { ForbiddenHost, publicAddressesOf, type Resolve } from '../../kernel/addresses/public-address.ts'
import { log } from '../../kernel/runtime/log.ts'
import { untilAborted } from '../../kernel/runtime/until-aborted.ts'

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
  readonly resolve?: Resolve
}

export type SendGuarded = (request: GuardedRequest) => Promise<GuardedAnswer>

/** How long a connection is kept for the next request, and how many to one host. */
const kept = { keepAlive: true, timeout: 10_000, maxFreeSockets: 20 }

/**
 * Sends requests to public addresses only, over connections that are kept for the next request. Redirects are not followed. Throws ForbiddenHost, TimeoutError and the errors
 * of the network. Once the status was received, a body that breaks off or does not end in time is answered as far as it
 * came.
 */
export const guardedRequests = ({ allowLoopback, timeoutMs, maxAnswerBytes, resolve }: GuardOptions): SendGuarded => {
  const agents = { 'http:': new HttpAgent(kept), 'https:': new HttpsAgent(kept) }
  return (request) =>
    exchange(
      { ...request, loopbackAllowed: allowLoopback, plainAllowed: true, resolve, agents },
      AbortSignal.timeout(timeoutMs),
      async (answer) => ({
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        excerpt: await readBeginning(answer, maxAnswerBytes),
      }),
    )
}

/** The part of a request that `fetch` takes and this service uses. */
export interface FetchInit {
  readonly method?: string
  readonly headers?: ConstructorParameters<typeof Headers>[0]
  readonly body?: unknown
  readonly signal?: AbortSignal | null
}

/**
 * Fetches an address that a tenant named: public hosts only, by https unless allowed otherwise, without following redirects. Rejects with
 * ForbiddenHost, with the error of the connection, on a timeout, and when the answer is too large.
 */
export type FetchPublic = (address: string, init?: FetchInit) => Promise<Response>

interface FetchPublicOptions {
  /** Allows hosts on this machine, also with http; for the local cloud. */
  readonly loopbackAllowed: boolean
  /** Allows http to leave this machine. */
  readonly plainAllowed?: boolean
  readonly resolve?: Resolve
  /** From the look-up of the name to the last byte. */
  readonly timeoutMs?: number
  readonly maxBytes?: number
}

const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

export const createFetchPublic =
  ({
    loopbackAllowed,
    plainAllowed = false,
    resolve,
    timeoutMs = 3_000,
    maxBytes = 256 * 1024,
  }: FetchPublicOptions): FetchPublic =>
  (address, { method = 'GET', headers, body, signal } = {}) => {
    const timer = AbortSignal.timeout(timeoutMs)
    const request = { method, url: address, headers: Object.fromEntries(new Headers(headers)), body: bodyOf(body) }
    return exchange(
      { ...request, loopbackAllowed, plainAllowed, resolve },
      signal ? AbortSignal.any([timer, signal]) : timer,
      async (answer) => {
        const received = new Headers()
        for (const [name, value] of Object.entries(answer.headers)) received.set(name, String(value))
        const whole = await readWhole(answer, maxBytes)
        const status = answer.statusCode ?? 0
        return new Response(bodiless.has(status) ? null : whole, { status, headers: received })
      },
    )
  }

function bodyOf(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body)
  throw new TypeError('only texts and forms are sent')
}

interface Exchange extends Omit<GuardedRequest, 'method'> {
  readonly method: string
  readonly loopbackAllowed: boolean
  /** Whether http may leave this machine. */
  readonly plainAllowed: boolean
  readonly resolve: Resolve | undefined
  /** Where connections are kept; without it each request has one of its own. */
  readonly agents?: { readonly 'http:': HttpAgent; readonly 'https:': HttpsAgent }
}

/**
 * Sends one request and reads its answer. The addresses that were checked are the ones that are connected to, so a name
 * that resolves differently the next time gains nothing; a kept connection leads to an address that was checked, too. One
 * that its host had closed meanwhile is replaced.
 */
async function exchange<T>(
  request: Exchange,
  signal: AbortSignal,
  read: (answer: IncomingMessage) => Promise<T>,
): Promise<T> {
  const { method, url, headers, body, loopbackAllowed, plainAllowed, resolve, agents } = request
  const { protocol, hostname, href } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') throw new ForbiddenHost(`${protocol} is neither http nor https.`)
  const addresses = await untilAborted(signal, publicAddressesOf(hostname, { loopbackAllowed, resolve }))
  if (protocol === 'http:' && !plainAllowed && !addresses.every(isLoopback))
    throw new ForbiddenHost('The address is not https.')
  const open = protocol === 'https:' ? httpsRequest : httpRequest
  const agent = agents?.[protocol] ?? false
  const options = { method, headers, agent, lookup: pinnedTo(addresses), signal }
  try {
    return await new Promise<T>((answered, reject) => {
      let isAnswered = false
      const sent = open(href, options, (answer) => {
        isAnswered = true
        read(answer).then(answered, reject)
      })
      // After the status, whoever reads the body decides what its end means.
      sent.on('error', (error) => {
        if (isAnswered) return
        const isStale = sent.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET'
        if (isStale) exchange({ ...request, agents: undefined }, signal, read).then(answered, reject)
        else reject(error)
      })
      sent.end(body)
    })
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  }
}

/** A look-up that answers addresses which were checked before. */
const pinnedTo =
  (addresses: readonly [string, ...string[]]): LookupFunction =>
  (_hostname, { all }, callback) => {
    if (all)
      callback(
        null,
        addresses.map((address) => ({ address, family: isIP(address) })),
      )
    else callback(null, addresses[0], isIP(addresses[0]))
  }

/** Reads so many bytes of an answer, and ends the connection when there are more. */
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

/** Reads an answer to its end. Throws when it is larger, or breaks off. */
async function readWhole(answer: IncomingMessage, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > maxBytes) throw new Error(`the answer is larger than ${maxBytes} bytes`)
  }
  return Buffer.concat(chunks)
}
