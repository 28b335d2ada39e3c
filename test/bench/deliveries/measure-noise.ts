import { setTimeout as sleep } from 'node:timers/promises'
import { scriptedReceiver } from '../../make/services/servers/scripted-receiver.ts'
import type { RunningService } from '../world/running-service.ts'
import { benchChannel, sendingTable } from './bench-channel.ts'

export interface Noise {
  readonly idleP95Ms: number
  readonly noisyP95Ms: number
}

const messages = 100
const noisePerMessage = 9
const pauseMs = 100
const slowMs = 3000

/** How long a receiver waits for a message from the moment it is asked for: alone, and beside slow and dead ones. */
export async function measureNoise(service: RunningService): Promise<Noise> {
  const arrivals = new Map<number, number>()
  const good = await scriptedReceiver((_, { body }) => {
    arrivals.set(JSON.parse(body).data.at, performance.now())
    return { status: 200 }
  })
  const slow = await slowReceiver()
  const dead = await scriptedReceiver(() => undefined)
  try {
    await benchChannel(service, 'good', good.url)
    await benchChannel(service, 'slow', slow.url)
    await benchChannel(service, 'dead', dead.url)
    await sendingTable(service, 'messages', "$api.sendWebhook({ at: $data.n }, 'good')")
    await sendingTable(
      service,
      'noises',
      `for (let i = 0; i < ${noisePerMessage}; i++) $api.sendWebhook({ i }, i % 2 ? 'slow' : 'dead')`,
    )
    const idle = await waits(service, arrivals, 0)
    const stopNoise = makeNoise(service)
    const noisy = await waits(service, arrivals, messages)
    await stopNoise()
    return { idleP95Ms: p95(idle), noisyP95Ms: p95(noisy) }
  } finally {
    await Promise.all([good.close(), slow.close(), dead.close()])
  }
}

/** Asks for one message after the other; answers how long each was in flight, in ms. One that is lost counts a minute. */
async function waits(
  service: RunningService,
  arrivals: ReadonlyMap<number, number>,
  first: number,
): Promise<readonly number[]> {
  const asked = new Map<number, number>()
  for (let n = first; n < first + messages; n++) {
    asked.set(n, performance.now())
    await service.api('POST', '/api/e/messages', { n })
    await sleep(pauseMs)
  }
  const end = performance.now() + 60_000
  while ([...asked.keys()].some((n) => !arrivals.has(n)) && performance.now() < end) await sleep(100)
  return [...asked].map(([n, at]) => (arrivals.get(n) ?? at + 60_000) - at)
}

/** Asks for nine times as many messages to the others; answers how to stop that. */
function makeNoise(service: RunningService): () => Promise<void> {
  let isOver = false
  async function ask(): Promise<void> {
    for (let n = 0; !isOver; n += 1) {
      await service.api('POST', '/api/e/noises', { n })
      await sleep(pauseMs)
    }
  }
  const asking = ask()
  return () => {
    isOver = true
    return asking
  }
}

const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] as number

/** Accepts after three seconds. */
async function slowReceiver() {
  const { createServer } = await import('node:http')
  const server = createServer((request, response) => {
    request.resume()
    setTimeout(() => response.end(), slowMs)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address() as { readonly port: number }
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
