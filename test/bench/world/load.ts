import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** The n-th request of a run. */
export interface BenchRequest {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  /** Who asks, if not the one whom the load belongs to. */
  readonly token?: string
}

export interface LoadResult {
  readonly requests: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  readonly failed: number
}

export interface LoadOptions {
  readonly connections: number
  readonly seconds: number
  /** No more requests than this are sent; as many as are answered without it. */
  readonly perSecond?: number
}

/**
 * Sends requests over `connections` keep-alive connections to 127.0.0.1, until `seconds` have passed. Any response outside 2xx counts as failed; `learn` is told of all others, when they are to be parsed.
 */
export async function load(
  target: { port: number; token: string },
  { connections, seconds, perSecond = Number.POSITIVE_INFINITY }: LoadOptions,
  requestAt: (n: number) => BenchRequest,
  learn?: (n: number, answer: any) => void,
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times: number[] = []
  let sent = 0
  let failed = 0
  const started = performance.now()
  const end = started + seconds * 1000
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < end) {
        const n = sent++
        if (perSecond < Number.POSITIVE_INFINITY)
          await sleep(Math.max(0, started + (n * 1000) / perSecond - performance.now()))
        const before = performance.now()
        const { status, text } = await send(agent, target, requestAt(n), learn !== undefined)
        times.push(performance.now() - before)
        if (status < 200 || status > 299) failed += 1
        else learn?.(n, JSON.parse(text))
      }
    }),
  )
  const elapsed = (performance.now() - started) / 1000
  agent.destroy()
  times.sort((a, b) => a - b)
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return {
    requests: times.length,
    perSecond: times.length / elapsed,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    p99Ms: at(0.99),
    failed,
  }
}

function send(
  agent: Agent,
  { port, token: usualToken }: { port: number; token: string },
  { method, path, body, token = usualToken }: BenchRequest,
  isRead: boolean,
): Promise<{ status: number; text: string }> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        agent,
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: {
          authorization: `Bearer ${token}`,
          ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        },
      },
      (answer) => {
        const parts: Buffer[] = []
        if (isRead) answer.on('data', (part: Buffer) => parts.push(part))
        else answer.resume()
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString() }))
      },
    )
    sent.on('error', reject)
    sent.end(text)
  })
}
