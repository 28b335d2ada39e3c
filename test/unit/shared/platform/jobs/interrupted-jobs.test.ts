import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type JobKind } from '../../../../../shared/platform/jobs/define-job.ts'
import { findJob } from '../../../../../shared/platform/jobs/find-job.ts'
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
  const runner = { store: single.store, clock, jobs, kinds: [kind], findTenant: async () => tenant }
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
