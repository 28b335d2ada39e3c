import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JobKind } from '../../../../../shared/platform/jobs/define-job.ts'
import { findJob } from '../../../../../shared/platform/jobs/find-jobs.ts'
import { runJob } from '../../../../../shared/platform/jobs/run-job.ts'
import type { JobMessage } from '../../../../../shared/platform/jobs/schema.ts'
import { jobKey } from '../../../../../shared/platform/store/keys/jobs.ts'
import type { Store } from '../../../../../shared/platform/store/store.ts'
import { frozenClock, type FrozenClock } from '../../../../make/builders/frozen-clock.ts'
import { jobsOn, plentyMs, type Step, tenant, toThree } from '../../../../make/services/counting-jobs.ts'
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
const jobsWith = (step: Step, ...more: [store?: Store, options?: { deleteAt?: string; whenDeleted?: true }]) =>
  jobsOn({ single, clock, sent }, step, ...more)

describe('while the tenant is deleted', () => {
  const deleteAt = '2026-12-20T08:00:00.000Z'

  it('a job pauses without losing its state, and continues when the tenant is restored', async () => {
    const paused = jobsWith(toThree, single.store, { deleteAt })
    const { id, message } = await paused.start()
    await paused.run(message)
    expect(await findJob(single.store, tenant, id)).toMatchObject({ status: 'running', done: 0, attempts: 0 })
    expect(sent).toHaveLength(2)
    await jobsWith(toThree).run(sent[1]?.message as JobMessage)
    expect(await findJob(single.store, tenant, id)).toMatchObject({ status: 'done', done: 3 })
  })

  it('a kind of job that is made for it runs', async () => {
    const { run, start } = jobsWith(toThree, single.store, { deleteAt, whenDeleted: true })
    const { id, message } = await start()
    await run(message)
    expect(await findJob(single.store, tenant, id)).toMatchObject({ status: 'done', done: 3 })
  })
})

it('a job that removes its own row is not stored again', async () => {
  const { run, start } = jobsWith(async (_state, { id }) => {
    await single.store.write(tenant, { remove: jobKey(tenant, id) })
    return { ended: 'removed' }
  })
  const { id, message } = await start()
  await run(message)
  expect(await findJob(single.store, tenant, id)).toBeUndefined()
})

describe('a step', () => {
  it('is repeated from the state of the last completed one when the worker dies', async () => {
    const seen: number[] = []
    let dies = true
    const { run, start } = jobsWith((state = 0) => {
      seen.push(state)
      if (state === 1 && dies) {
        dies = false
        // The worker dies: nothing of this step is stored or reported.
        return new Promise<never>(() => {})
      }
      return toThree(state)
    })
    const { message } = await start()
    void run(message)
    while (seen.length < 2) await new Promise((resolve) => setImmediate(resolve))
    await run(message)
    expect(seen).toEqual([0, 1, 1, 2])
  })
})

it('undoes what it left half done when it is given up, and tries that again until it succeeds', async () => {
  let undone = 0
  const kind: JobKind = {
    kind: 'count',
    step: () => Promise.reject(new Error('always')),
    async giveUp() {
      undone += 1
      if (undone < 3) throw new Error('not yet')
      return { undone }
    },
  }
  const { start } = jobsWith(toThree)
  const { id, message } = await start()
  const jobs = { wake: async () => {} }
  const runner = {
    store: single.store,
    clock,
    jobs,
    kinds: [kind],
    findTenant: async () => tenant,
    trials: new Set<number>(),
  }
  for (let runs = 0; runs < 20; runs += 1) {
    await runJob(runner, message, plentyMs)
    clock.advance(3_600_000)
  }
  expect(undone).toBe(3)
  expect(await findJob(single.store, tenant, id)).toMatchObject({
    status: 'failed',
    errors: [{ message: 'The job was given up: it failed too often.' }],
    result: { undone: 3 },
  })
})

describe('a job whose input ends the process', () => {
  const tick = () => new Promise((resolve) => setImmediate(resolve))
  /** Runs until the step has begun, which never ends: what was stored is what a process leaves that dies then. */
  async function dieDuring(run: () => Promise<void>, begun: () => number): Promise<void> {
    const before = begun()
    void run()
    while (begun() === before) await tick()
  }
  const deadly = (giveUp?: () => Promise<unknown>) => {
    let begun = 0
    const service = (step: Step = () => ((begun += 1), new Promise<never>(() => {}))) =>
      jobsOn({ single, clock, sent }, step, single.store, giveUp ? { giveUp } : {})
    return { service, begun: () => begun }
  }

  it('is set aside after the second death, with a reason, and undoes what it left half done', async () => {
    let undone = 0
    const { service, begun } = deadly(async () => ({ undone: (undone += 1) }))
    const { id, message } = await service().start()
    // Each start of the process is a new service, which finds the message again.
    await dieDuring(() => service().run(message), begun)
    expect(await findJob(single.store, tenant, id)).toMatchObject({ status: 'running', deaths: 0 })
    await dieDuring(() => service().run(message), begun)
    expect(await findJob(single.store, tenant, id)).toMatchObject({ status: 'running', deaths: 1 })
    await service().run(message)
    expect(begun()).toBe(2)
    expect(await findJob(single.store, tenant, id)).toMatchObject({
      status: 'failed',
      errors: [{ message: expect.stringMatching(/^The job was set aside: twice .* Divide its work/) }],
      result: { undone: 1 },
    })
    await service().run(message)
    expect([begun(), undone]).toEqual([2, 1])
  })

  it('is found by the sweeper after each death as well', async () => {
    const { service, begun } = deadly()
    const { id, message } = await service().start()
    await dieDuring(() => service().run(message), begun)
    for (const wake of ['second', 'third']) {
      clock.advance(120_000)
      if (wake === 'second') await dieDuring(() => service().run({ ...message, wake }), begun)
      else await service().run({ ...message, wake })
    }
    expect(begun()).toBe(2)
    expect(await findJob(single.store, tenant, id)).toMatchObject({ status: 'failed' })
  })

  it('does not take with it a job that ran beside it: those of a death are tried one at a time', async () => {
    const { service, begun } = deadly()
    const killer = await service().start()
    const other = await service().start()
    await dieDuring(() => service().run(killer.message), begun)
    await dieDuring(() => service().run(other.message), begun)
    // Both were running when the process died. The next one tries the killer, and dies; the other one waits for its turn.
    const process = service()
    await dieDuring(() => process.run(killer.message), begun)
    await process.run(other.message)
    expect(await findJob(single.store, tenant, other.id)).toMatchObject({ status: 'running', deaths: 1 })
    expect(sent.at(-1)).toMatchObject({ message: { job_id: other.id }, delaySeconds: 5 })
    const last = service(toThree)
    await last.run(killer.message)
    await last.run(sent.at(-1)?.message as JobMessage)
    expect(await findJob(single.store, tenant, killer.id)).toMatchObject({ status: 'failed' })
    expect(await findJob(single.store, tenant, other.id)).toMatchObject({ status: 'done', done: 3, deaths: 0 })
  })

  it('counts no deaths from before its last progress, nor an outcome that could not be saved', async () => {
    const { service, begun } = deadly()
    const { id, message } = await service().start()
    await dieDuring(() => service().run(message), begun)
    let writes = 0
    const failing: Store = {
      ...single.store,
      write: (...given) =>
        (writes += 1) === 2 ? Promise.reject(new Error('no answer')) : single.store.write(...given),
    }
    const unsaved = jobsOn({ single, clock, sent }, toThree, failing)
    await expect(unsaved.run(message)).rejects.toThrow('no answer')
    const found = await findJob(single.store, tenant, id)
    expect([found?.deaths, found?.lease]).toEqual([1, undefined])
    let steps = 0
    const { run } = service((state = 0) =>
      ++steps === 2 ? ((steps = 2), new Promise<never>(() => {})) : toThree(state),
    )
    await dieDuring(
      () => run(message),
      () => Math.max(0, steps - 1),
    )
    expect(await findJob(single.store, tenant, id)).toMatchObject({ status: 'running', state: 1, deaths: 0 })
    await service(toThree).run(message)
    expect(await findJob(single.store, tenant, id)).toMatchObject({ status: 'done', done: 3 })
  })
})
