import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Throttled } from '../../../../../shared/kernel/throttling/throttled.ts'
import { dueJobs, findJob } from '../../../../../shared/platform/jobs/find-jobs.ts'
import type { JobMessage } from '../../../../../shared/platform/jobs/schema.ts'
import { takeDueWork } from '../../../../../shared/platform/store/due/due-work.ts'
import { jobKey } from '../../../../../shared/platform/store/keys/jobs.ts'
import { frozenClock, type FrozenClock } from '../../../../make/builders/frozen-clock.ts'
import {
  type JobOptions,
  jobsOn,
  plentyMs,
  type Step,
  tenant,
  toThree,
} from '../../../../make/services/counting-jobs.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

let single: SingleTable
let clock: FrozenClock
let sent: { message: JobMessage; delaySeconds: number | undefined }[]
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single.close())
beforeEach(() => {
  clock = frozenClock()
  sent = []
})
const jobsWith = (step: Step, options?: JobOptions) => jobsOn({ single, clock, sent }, step, single.store, options)
const rowOf = (id: number) => single.store.get(tenant, jobKey(tenant, id))
const dueIds = async () =>
  (await takeDueWork(dueJobs(clock), { store: single.store, clock }, 10)).map(({ wake }) => wake.job_id)

const [second, minute, day] = [1_000, 60_000, 86_400_000]
const lease = 90 * second

/** A row is due in the millisecond after its time. */
describe('the row of a job', () => {
  it.each<[string, Step]>([
    ['done', toThree],
    ['failed', () => ({ ended: 'failed' })],
  ])('is kept for thirty days once it is %s, and is due no more', async (status, step) => {
    const { run, start } = jobsWith(step)
    const { id, message } = await start()
    expect((await rowOf(id))?.expires_at).toBeUndefined()
    await run(message)
    expect(await rowOf(id)).toMatchObject({ status, expires_at: (clock.now() + 30 * day) / 1000 })
    clock.advance(day)
    expect(await dueIds()).not.toContain(id)
  })

  it('is due a minute after the start, when its message is lost', async () => {
    const { id } = await jobsWith(toThree).start()
    clock.advance(minute)
    expect(await dueIds()).not.toContain(id)
    clock.advance(1)
    expect(await dueIds()).toContain(id)
  })
})

describe('the lease of a job', () => {
  /** A job whose worker died in its first step. */
  async function dead() {
    const seen: number[] = []
    let dies = true
    const { run, start } = jobsWith((state = 0) => {
      seen.push(state)
      if (!dies) return toThree(state)
      dies = false
      return new Promise<never>(() => {})
    })
    const { id, message } = await start()
    void run(message)
    await expect.poll(() => seen).toEqual([0])
    return { id, run, seen, message }
  }

  it.each([
    ['a millisecond before its end', lease - 1, [0]],
    ['at its end', lease, [0, 0, 1, 2]],
  ])('keeps another worker away until ninety seconds are over: %s', async (_, after, steps) => {
    const { run, seen, message } = await dead()
    clock.advance(after)
    await run({ ...message, wake: 'another' })
    expect(seen).toEqual(steps)
  })

  it('ends when the sweeper wakes the job', async () => {
    const { id } = await dead()
    clock.advance(lease)
    expect(await dueIds()).not.toContain(id)
    clock.advance(1)
    expect(await dueIds()).toContain(id)
  })

  it('is that of the worker that came first, of two that the sweeper woke at the same moment', async () => {
    const { id, run, seen, message } = await dead()
    clock.advance(lease)
    await Promise.all([run({ ...message, wake: 'one' }), run({ ...message, wake: 'other' })])
    expect(seen.slice(1)).toEqual([0, 1, 2])
    expect(await findJob(single.store, tenant, id)).toMatchObject({ status: 'done', done: 3 })
  })
})

describe('a job pauses', () => {
  const once =
    (outcome: () => ReturnType<Step>): Step =>
    (state) =>
      state === undefined ? outcome() : { ended: 'done' }

  it.each<[string, Step, JobOptions, number, number]>([
    ['for as long as its step says', once(() => ({ state: 1, pauseMs: 30 * second })), {}, 30 * second, 30],
    ['longer than a queue delays', once(() => ({ state: 1, pauseMs: 3_600 * second })), {}, 3_600 * second, 900],
    ['for 15 seconds when a provider throttles it', () => Promise.reject(new Throttled()), {}, 15 * second, 15],
    ['for an hour while its tenant is deleted', toThree, { deleteAt: '2026-12-20T08:00:00.000Z' }, 3_600 * second, 900],
  ])('%s, and is due when the pause and a lease are over', async (_, step, options, pauseMs, delaySeconds) => {
    const { run, start } = jobsWith(step, options)
    const { id, message } = await start()
    await run(message)
    expect(sent.at(-1)).toMatchObject({ delaySeconds, message: { job_id: id } })
    clock.advance(pauseMs + lease)
    expect(await dueIds()).not.toContain(id)
    clock.advance(1)
    expect(await dueIds()).toContain(id)
  })

  it.each([
    ['with 20 seconds left it goes on', 20_000, { status: 'done' }],
    ['with less it continues in another invocation', 19_999, { status: 'running', done: 1 }],
  ])('%s', async (_, remainingMs, found) => {
    const { run, start } = jobsWith(toThree)
    const { id, message } = await start()
    await run(message, () => remainingMs)
    expect(await findJob(single.store, tenant, id)).toMatchObject(found)
  })

  it.each([
    ['a step may take ten seconds before its time is up', 9_999, false],
    ['then it should answer what it has', 10_000, true],
  ])('%s', async (_, elapsedMs, isUp) => {
    const { run, start } = jobsWith((_state, { timeIsUp }) => {
      clock.advance(elapsedMs)
      return { ended: 'done', result: { isUp: timeIsUp() } }
    })
    const { id, message } = await start()
    await run(message, plentyMs)
    expect((await findJob(single.store, tenant, id))?.result).toEqual({ isUp })
  })

  it.each([
    ['after 30 seconds, so that others have their turn', 15_000, 2],
    ['not before', 14_999, 3],
  ])('%s', async (_, stepMs, steps) => {
    let taken = 0
    const { run, start } = jobsWith((state) => {
      taken += 1
      clock.advance(stepMs)
      return toThree(state)
    })
    const { message } = await start()
    await run(message)
    expect(taken).toBe(steps)
  })
})
