import { scriptedReceiver } from '../../make/services/servers/scripted-receiver.ts'
import type { RunningService } from '../world/running-service.ts'
import { benchChannel, sendingTable } from './bench-channel.ts'

export interface Throughput {
  readonly askedPerSecond: number
  readonly perSecond: number
  readonly delivered: number
  readonly failed: number
  /** Messages that a receiver accepted more than once. */
  readonly doubled: number
  readonly lost: number
  readonly cpuMsEach: number
}

const perRecord = 40
const perImport = 50
const maxMs = 600_000

/** Sends so many webhooks, of which every twentieth is answered 500 the first time. */
export async function measureThroughput(service: RunningService, count: number): Promise<Throughput> {
  const seen = new Map<string, number>()
  const accepted = new Map<string, number>()
  let [firstAt, lastAt] = [0, 0]
  const receiver = await scriptedReceiver((n, { headers, body }) => {
    const id = String(headers['webhook-id'])
    const tries = (seen.get(id) ?? 0) + 1
    seen.set(id, tries)
    firstAt ||= performance.now()
    lastAt = performance.now()
    receiver.received.length = 0
    if (tries === 1 && Number(JSON.parse(body).data.at) % 20 === 0) return { status: 500 }
    accepted.set(id, (accepted.get(id) ?? 0) + 1)
    return { status: 200, body: String(n) }
  })
  try {
    await benchChannel(service, 'bench', `${receiver.url}/hooks`)
    await sendingTable(
      service,
      'batches',
      `for (let i = 0; i < ${perRecord}; i++) $api.sendWebhook({ at: $data.n * ${perRecord} + i }, 'bench')`,
    )
    const before = await service.usage()
    const began = performance.now()
    for (let n = 0; n * perRecord < count; n += perImport) {
      const rows = Array.from({ length: Math.min(perImport, count / perRecord - n) }, (_, at) => ({ n: n + at }))
      await service.api('POST', '/api/e/batches/import', { rows })
    }
    const asked = performance.now()
    while (accepted.size < count && performance.now() - began < maxMs) await service.waitUntilIdle()
    const idleAt = await service.waitUntilIdle()
    const cpuMs = ((await service.usage())?.cpuMs ?? 0) - (before?.cpuMs ?? 0)
    const totals = await Promise.all(
      ['delivered', 'failed', 'queued', 'retrying', 'sending'].map((status) => countOf(service, status)),
    )
    const [delivered = 0, failed = 0] = totals
    return {
      askedPerSecond: (count * 1000) / (asked - began),
      perSecond: (count * 1000) / (Math.min(lastAt, idleAt) - firstAt),
      delivered,
      failed,
      doubled: [...accepted.values()].filter((times) => times > 1).length,
      lost: count - accepted.size,
      cpuMsEach: cpuMs / count,
    }
  } finally {
    await receiver.close()
  }
}

const countOf = async (service: RunningService, status: string): Promise<number> =>
  (await service.api('GET', `/api/sys/deliveries?status=${status}&per_page=1`)).meta.total
