import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod'
import { type OrderedMessage, standardOrder } from '../../../../../infra/local/sqs/queue-order.ts'
import { defineJob } from '../../../../../shared/platform/jobs/define-job.ts'
import { dueJobs } from '../../../../../shared/platform/jobs/find-jobs.ts'
import { runJob } from '../../../../../shared/platform/jobs/run-job.ts'
import type { JobMessage } from '../../../../../shared/platform/jobs/schema.ts'
import { createJobs } from '../../../../../shared/platform/jobs/service.ts'
import { takeDueWork } from '../../../../../shared/platform/store/due/due-work.ts'
import { frozenClock } from '../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

let single: SingleTable
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single.close())

it('a tenant with many long exports makes neither another tenant nor the nightly repair wait for more than their turn', async () => {
  const clock = frozenClock()
  const queue = standardOrder<OrderedMessage & { readonly body: JobMessage }>()
  let sequence = 0
  const jobs = createJobs({
    store: single.store,
    clock,
    queueUrl: 'queue',
    send: async (_url, bodies, options) => {
      const group = options?.fairGroup as string
      for (const body of bodies)
        queue.add({ sequence: (sequence += 1), group, deleted: false, body: body as JobMessage })
      return []
    },
  })
  const ended = new Map<string, number>()
  const startedAt = clock.now()
  const kinds = ['export', 'repair'].map((kind) =>
    defineJob<z.ZodType, number>(
      kind,
      z.object({ steps: z.int(), name: z.string() }),
      async (_run, input, done = 0) => {
        const { steps, name } = input as { steps: number; name: string }
        clock.advance(9_000)
        if (done + 1 < steps) return { state: done + 1 }
        ended.set(name, (clock.now() - startedAt) / 1000)
        return { ended: 'done' }
      },
    ),
  )
  const start = (tenantId: number, userId: number, kind: string, name: string, steps: number) =>
    jobs.start({ id: tenantId }, { userId, roles: [], isAdministrator: true }, kind, { name, steps })
  for (let n = 0; n < 5; n += 1) await start(1, 3, 'export', `long ${n}`, 60)
  await start(2, 3, 'export', 'short', 1)
  await start(3, 0, 'repair', 'repair', 2)

  // One runner: the worst case.
  for (;;) {
    const [message] = queue.take(1)
    if (!message) break
    const endsAt = clock.now() + 300_000
    const tenant = { id: message.body.tenant_id, slug: 's', name: 'S', configVersion: 1 }
    await runJob(
      { store: single.store, clock, jobs, kinds, findTenant: async () => tenant, trials: new Set() },
      message.body,
      () => endsAt - clock.now(),
    )
  }
  expect(ended.size).toBe(7)
  expect(ended.get('short')).toBeLessThan(60)
  expect(ended.get('repair')).toBeLessThan(90)
})

it('a job whose message was lost, or whose runner died, is woken in the turns in which it was started', async () => {
  const clock = frozenClock()
  const sent: (string | undefined)[] = []
  const jobs = createJobs({
    store: single.store,
    clock,
    queueUrl: 'queue',
    send: async (_url, _bodies, options) => {
      sent.push(options?.fairGroup as string)
      return []
    },
  })
  const tenant = { id: 12, slug: 's', name: 'S', configVersion: 1 }
  const groups = new Map<number, string>()
  for (const userId of [3, 0, 4, 0])
    groups.set(
      await jobs.start(tenant, { userId, roles: [], isAdministrator: true }, 'count', {}),
      userId === 0 ? 'service' : '12',
    )
  expect(sent).toEqual([...groups.values()])
  const due = async () =>
    new Map(
      (await takeDueWork(dueJobs(clock), { store: single.store, clock }, 10)).map((one) => [
        one.wake.job_id,
        one.fairGroup,
      ]),
    )
  const sorted = (some: Map<number, string | undefined>) => [...some].toSorted(([a], [b]) => a - b)
  clock.advance(61_000)
  expect(sorted(await due())).toEqual([...groups])
  // What was taken is due again later, in the same turns.
  clock.advance(3_600_000)
  const again = await takeDueWork(dueJobs(clock), { store: single.store, clock }, 10)
  expect(sorted(new Map(again.map((one) => [one.wake.job_id, one.fairGroup])))).toEqual([...groups])
  // The same after a step that pauses.
  const kinds = [defineJob<z.ZodType, number>('count', z.object({}), async () => ({ state: 1, pauseMs: 1_000 }))]
  for (const { wake } of again)
    await runJob(
      { store: single.store, clock, jobs, kinds, findTenant: async () => tenant, trials: new Set() },
      wake,
      () => 300_000,
    )
  expect(sent.slice(4).toSorted()).toEqual([...groups.values()].toSorted())
  clock.advance(3_600_000)
  expect(sorted(await due())).toEqual([...groups])
})
