import { request as requestHttp } from 'node:http'
import { request as requestHttps, type RequestOptions } from 'node:https'
import { isIP } from 'node:net'
import { isLoopback } from '../kernel/ip-address.ts'
import { ForbiddenHost, publicAddressOf, type Resolve } from '../kernel/public-address.ts'
import { untilAborted } from '../kernel/until-aborted.ts'

/** The part of a request that `fetch` takes and this service uses. */
export interface FetchInit {
  readonly method?: string
  readonly headers?: ConstructorParameters<typeof Headers>[0]
  readonly body?: unknown
  readonly signal?: AbortSignal | null
}

/**
 * Fetches an address that a tenant named: https and public hosts only, without following redirects. Rejects with
 * ForbiddenHost, with the error of the connection, on a timeout, and when the answer is too large.
 */
export type FetchPublic = (address: string, init?: FetchInit) => Promise<Response>

export interface FetchPublicOptions {
  /** Allows hosts on this machine, also with http; for the local cloud. */
  readonly loopbackAllowed: boolean
  readonly resolve?: Resolve
  /** From the look-up of the name to the last byte. */
  readonly timeoutMs?: number
  readonly maxBytes?: number
}

const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

export function createFetchPublic({
  loopbackAllowed,
  resolve,
  timeoutMs = 3_000,
  maxBytes = 256 * 1024,
}: FetchPublicOptions): FetchPublic {
  return async (address, init = {}) => {
    const url = new URL(address)
    const timer = AbortSignal.timeout(timeoutMs)
    const signal = init.signal ? AbortSignal.any([timer, init.signal]) : timer
    // Connecting to the address that was checked: the name may resolve to another one the next time.
    const host = await untilAborted(signal, publicAddressOf(url.hostname, { loopbackAllowed, resolve }))
    return exchange({ url, host, init, signal, maxBytes, plainAllowed: loopbackAllowed })
  }
}

interface Exchange {
  readonly url: URL
  /** The IP address to connect to. */
  readonly host: string
  readonly init: FetchInit
  readonly signal: AbortSignal
  readonly maxBytes: number
  readonly plainAllowed: boolean
}

async function exchange({ url, host, init, signal, maxBytes, plainAllowed }: Exchange): Promise<Response> {
  const isPlain = url.protocol === 'http:' && plainAllowed && isLoopback(host)
  if (url.protocol !== 'https:' && !isPlain) throw new ForbiddenHost('the address is not https')
  const name = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const body = bodyOf(init.body)
  const options: RequestOptions = {
    host,
    port: url.port || (isPlain ? 80 : 443),
    path: `${url.pathname}${url.search}`,
    method: init.method ?? 'GET',
    headers: { ...Object.fromEntries(new Headers(init.headers)), host: url.host },
    signal,
    // Each request has a connection of its own, so a pooled one never leads to an address that was not checked.
    agent: false,
    ...(isIP(name) === 0 && { servername: name }),
  }
  return new Promise((resolve, reject) => {
    const sent = (isPlain ? requestHttp : requestHttps)(options, (answer) => {
      const chunks: Buffer[] = []
      let size = 0
      answer.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > maxBytes) answer.destroy(new Error(`the answer is larger than ${maxBytes} bytes`))
        else chunks.push(chunk)
      })
      answer.on('error', reject)
      answer.on('end', () => {
        const status = answer.statusCode as number
        const headers = new Headers()
        for (const [header, value] of Object.entries(answer.headers)) headers.set(header, String(value))
        resolve(new Response(bodiless.has(status) ? null : Buffer.concat(chunks), { status, headers }))
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function bodyOf(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body)
  throw new TypeError('only texts and forms are sent')
}
