import { Agent, request } from 'node:http'

/** The n-th request of a run. */
export interface BenchRequest {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

export interface LoadResult {
  readonly requests: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly failed: number
}

/**
 * Sends requests over `connections` keep-alive connections to 127.0.0.1, until `seconds` have passed or `atMost` are
 * sent. Any response outside 2xx counts as failed.
 */
export async function load(
  target: { port: number; token: string },
  {
    connections,
    seconds,
    atMost = Number.POSITIVE_INFINITY,
  }: { connections: number; seconds: number; atMost?: number },
  requestAt: (n: number) => BenchRequest,
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times: number[] = []
  let sent = 0
  let failed = 0
  const started = performance.now()
  const end = started + seconds * 1000
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (sent < atMost && performance.now() < end) {
        const before = performance.now()
        const status = await send(agent, target, requestAt(sent++))
        times.push(performance.now() - before)
        if (status < 200 || status > 299) failed += 1
      }
    }),
  )
  const elapsed = (performance.now() - started) / 1000
  agent.destroy()
  times.sort((a, b) => a - b)
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { requests: times.length, perSecond: times.length / elapsed, p50Ms: at(0.5), p99Ms: at(0.99), failed }
}

function send(
  agent: Agent,
  { port, token }: { port: number; token: string },
  { method, path, body }: BenchRequest,
): Promise<number> {
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
        answer.resume()
        answer.on('end', () => resolve(answer.statusCode ?? 0))
      },
    )
    sent.on('error', reject)
    sent.end(text)
  })
}
