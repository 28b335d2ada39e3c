import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clock, isoTime } from '../../../shared/kernel/time/clock.ts'
import { commentItem } from '../../../shared/records/comments/rows/comment-row.ts'
import { runItem } from '../../../shared/scripts/run-log.ts'
import { type TimelineWorld, timelineWorld } from '../../make/services/worlds/timeline-world.ts'

let tenant: TimelineWorld['service']['tenant']
let world: TimelineWorld
beforeAll(async () => {
  world = await timelineWorld()
  tenant = world.service.tenant
})
afterAll(() => world?.stop())

/** The comment `n` of a record, `n` seconds after the first. */
const comment = (recordId: number, n: number, startMs: number, body: string) =>
  commentItem(tenant, {
    id: n,
    model: 'requests',
    recordId,
    body,
    isInternal: n % 3 === 0,
    attachments: [],
    mentions: [],
    userId: world.service.admin.userId,
    createdAt: isoTime(startMs + n * 1000),
    updatedAt: isoTime(startMs + n * 1000),
    version: 1,
  })

const run = (recordId: number, n: number, startMs: number) =>
  runItem(
    tenant,
    (startMs + n * 1000) * 1000,
    {
      runId: `run-${n}`,
      kind: 'after_update',
      automationId: 1,
      name: 'tell',
      model: 'requests',
      recordId,
      userId: 1,
      depth: 0,
    },
    { status: 'ok', ms: 1, calls: 0, log: [], startedAt: startMs + n * 1000 } as never,
  )

/** One page, with the calls to AWS that it took. */
async function page(path: string) {
  world.service.cloud.recordCalls()
  const { headers, body } = await world.api('GET', path)
  const { calls, roundTrips } = world.service.cloud.callsOf(headers.get('apigw-requestid') as string)
  return { body, calls: calls.length, roundTrips }
}

describe('a timeline of 1,000 entries', () => {
  it('costs the same on every page, however deep it is', async () => {
    const id = await world.create()
    await world.service.cloud.idle()
    const startMs = clock.now()
    const numbers = Array.from({ length: 500 }, (_, index) => index + 1)
    await world.service.store.putMany(
      tenant,
      numbers.map((n) => comment(id, n, startMs, `Comment ${n}`)),
    )
    await world.service.store.putMany(
      tenant,
      numbers.map((n) => run(id, n, startMs)),
    )
    await page(`/api/e/requests/${id}/timeline`)

    const seen: string[] = []
    const costs: { readonly calls: number; readonly roundTrips: number }[] = []
    for (let path: string | null = `/api/e/requests/${id}/timeline`; path !== null;) {
      const { body, ...cost } = await page(path)
      costs.push(cost)
      seen.push(
        ...body.data.map(({ kind, data, id: entry }: any) => `${kind} ${kind === 'script' ? data.run_id : entry}`),
      )
      path = body.links.next && body.links.next.slice(world.service.url.length)
    }
    expect(seen).toEqual([...numbers.toReversed().flatMap((n) => [`script run-${n}`, `comment ${n}`]), 'change 1'])
    const deep = costs.slice(1, -1)
    console.log(JSON.stringify(costs))
    expect(costs.length).toBe(41)
    expect(Math.max(...deep.map(({ calls }) => calls))).toBeLessThanOrEqual(12)
    expect(Math.max(...deep.map(({ roundTrips }) => roundTrips))).toBeLessThanOrEqual(6)
  })

  it('ends a page early at 4 MB, and goes on behind it', async () => {
    const id = await world.create()
    const startMs = clock.now()
    const numbers = Array.from({ length: 120 }, (_, index) => index + 1)
    await world.service.store.putMany(
      tenant,
      numbers.map((n) => comment(id, n, startMs, '€'.repeat(15_000))),
    )
    const first = (await world.api('GET', `/api/e/requests/${id}/timeline?per_page=100&kinds=comment`)).body
    expect(first.data.length).toBeLessThan(100)
    expect(first.data.length).toBeGreaterThan(80)
    const rest = (await world.api('GET', first.links.next.slice(world.service.url.length))).body
    expect([...first.data, ...rest.data].map(({ id: entry }: any) => Number(entry))).toEqual(numbers.toReversed())
  })
})
