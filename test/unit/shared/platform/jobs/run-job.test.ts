import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Invalid } from '../../../../../shared/kernel/failures/faults.ts'
import { dueJobs, findJob } from '../../../../../shared/platform/jobs/find-jobs.ts'
import { answerJob, type StoredJob } from '../../../../../shared/platform/jobs/job-row.ts'
import type { JobMessage } from '../../../../../shared/platform/jobs/schema.ts'
import { takeDueWork } from '../../../../../shared/platform/store/due/due-work.ts'
import type { Store } from '../../../../../shared/platform/store/store.ts'
import { frozenClock, type FrozenClock } from '../../../../make/builders/frozen-clock.ts'
import { actor, type JobOptions, jobsOn, type Step, tenant, toThree } from '../../../../make/services/counting-jobs.ts'
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
const jobsWith = (step: Step, ...more: [store?: Store, options?: JobOptions]) =>
  jobsOn({ single, clock, sent }, step, ...more)

describe('a job', () => {
  it('runs step by step to its end', async () => {
    const { run, start } = jobsWith(toThree)
    const { id, message } = await start()
    expect(await findJob(single.store, tenant, id)).toMatchObject({ status: 'queued', done: 0, total: 3 })
    await run(message)
    expect(await findJob(single.store, tenant, id)).toMatchObject({
      status: 'done',
      done: 3,
      total: 3,
      result: { counted: 3 },
    })
    await run(message)
    expect((await findJob(single.store, tenant, id))?.done).toBe(3)
  })

  it('queues itself when the invocation runs out of time, and resumes at its state', async () => {
    const seen: (number | undefined)[] = []
    const { run, start } = jobsWith((state) => (seen.push(state), toThree(state)))
    const { id, message } = await start()
    await run(message, () => 10_000)
    expect(await findJob(single.store, tenant, id)).toMatchObject({ status: 'running', done: 1, state: 1 })
    await run(sent.at(-1)?.message as JobMessage)
    expect(await findJob(single.store, tenant, id)).toMatchObject({ status: 'done', done: 3 })
    expect(seen).toEqual([undefined, 1, 2])
  })

  it('is refused, naming its filter, before anything is written when its input would not fit its row', async () => {
    const { jobs, run } = jobsWith(toThree)
    const rows = async () => (await single.itemsOf(`T#${tenant.id}#`)).length
    const inputOf = (bytes: number) => ({
      query: { filter: { id: { _nin: [randomBytes(bytes).toString('latin1')] } } },
    })
    const fits = { to: 3, ids: Array.from({ length: 20_000 }, (_, n) => n) }
    const id = await jobs.start(tenant, actor, 'count', fits)
    await run(sent.at(-1)?.message as JobMessage)
    expect(await findJob(single.store, tenant, id)).toMatchObject({ status: 'done', input: fits })
    const before = await rows()
    for (const refused of [
      jobs.start(tenant, actor, 'count', inputOf(200_000)),
      jobs.prepare(tenant, actor, 'count', inputOf(200_000)),
    ])
      await expect(refused).rejects.toMatchObject({
        code: 'validation_failed',
        errors: { filter: [expect.any(String)] },
      })
    expect(await rows()).toBe(before)
  })

  it('pauses for as long as a step asks', async () => {
    const { run, start } = jobsWith((state) => (state ? { ended: 'done' } : { state: 1, pauseMs: 30_000 }))
    const { id, message } = await start()
    await run(message)
    expect(sent.at(-1)).toMatchObject({ delaySeconds: 30, message: { job_id: id } })
    expect(await takeDueWork(dueJobs(clock), { store: single.store, clock }, 10)).toEqual([])
    await run(sent.at(-1)?.message as JobMessage)
    expect(await findJob(single.store, tenant, id)).toMatchObject({ status: 'done' })
  })

  it('fails with the error of a fault, and keeps the errors of earlier steps', async () => {
    const { run, start } = jobsWith((state) => {
      if (state) throw new Invalid({ rows: ['wrong'] })
      return { state: 1, errors: [{ message: 'row 1', row: 1 }] }
    })
    const { id, message } = await start()
    await run(message)
    expect(await findJob(single.store, tenant, id)).toMatchObject({
      status: 'failed',
      errors: [
        { message: 'row 1', row: 1 },
        { message: 'Validation error', errors: { rows: ['wrong'] } },
      ],
    })
  })

  it('retries a step that failed unexpectedly, later each time, and gives up in the end', async () => {
    const { run, start } = jobsWith(() => {
      throw new TypeError('no foresight')
    })
    const { id, message } = await start()
    await run(message)
    const delays: (number | undefined)[] = []
    while ((await findJob(single.store, tenant, id))?.status === 'running') {
      delays.push(sent.at(-1)?.delaySeconds)
      await run(sent.at(-1)?.message as JobMessage)
    }
    expect(delays).toEqual([4, 8, 16, 32, 64, 128])
    expect(await findJob(single.store, tenant, id)).toMatchObject({
      status: 'failed',
      errors: [{ message: 'The job was given up: it failed too often.' }],
    })
  })

  it.each([
    ['its state', 4, (step: number) => ({ state: randomBytes(step * 100_000).toString('base64') })],
    [
      'its state beside its errors',
      3,
      (step: number) => ({
        state: randomBytes(100_000 + step * 30_000).toString('base64'),
        errors: Array.from({ length: 400 }, () => ({ message: randomBytes(300).toString('base64') })),
      }),
    ],
  ])('fails at once, and is given up, when %s would outgrow its row', async (_, lastStep, grow) => {
    let steps = 0
    const givenUp: number[] = []
    const step = () => {
      steps += 1
      return grow(steps) as unknown as ReturnType<Step>
    }
    const { run, start } = jobsWith(step, undefined, { giveUp: async ({ id }) => void givenUp.push(id) })
    const { id, message } = await start()
    await run(message)
    const job = (await findJob(single.store, tenant, id)) as StoredJob
    expect(job).toMatchObject({ status: 'failed', state: undefined })
    expect(job.errors.at(-1)?.message ?? job.unlistedErrors).toEqual(expect.anything())
    expect(answerJob(job).errors.map(({ message: text }) => text)).toContainEqual(
      expect.stringMatching(/has more than 380 KB. Divide the work/),
    )
    expect([steps, givenUp]).toEqual([lastStep, [id]])
  })

  it('is run by one worker at a time', async () => {
    let inside: (() => Promise<void>) | undefined
    const seen: (number | undefined)[] = []
    const { run, start } = jobsWith(async (state) => {
      seen.push(state)
      const other = inside
      inside = undefined
      await other?.()
      return toThree(state)
    })
    const { message } = await start()
    inside = () => run({ ...message, wake: 'another' })
    await run(message)
    expect(seen).toEqual([undefined, 1, 2])
  })

  it('whose worker died is resumed by the same message at once, and by the sweeper once the lease expires', async () => {
    class Died extends Error {}
    let dies = true
    const mortal = single.storeThrough((operation, call) => {
      if (operation === 'PutItem' && dies && mortalPuts++ >= 2) throw new Died()
      return call()
    })
    let mortalPuts = 0
    const { run, start } = jobsWith(toThree, mortal)
    const { id, message } = await start()
    await expect(run(message)).rejects.toThrow(Died)
    expect(await findJob(single.store, tenant, id)).toMatchObject({ status: 'running', done: 1 })
    await run({ ...message, wake: 'another' })
    expect((await findJob(single.store, tenant, id))?.done).toBe(1)
    expect(await takeDueWork(dueJobs(clock), { store: single.store, clock }, 10)).toEqual([])
    clock.advance(91_000)
    const [due] = await takeDueWork(dueJobs(clock), { store: single.store, clock }, 10)
    expect(due).toMatchObject({ wake: { tenant_id: 7, job_id: id }, fairGroup: '7' })
    dies = false
    await run(due?.wake as JobMessage)
    expect(await findJob(single.store, tenant, id)).toMatchObject({ status: 'done', done: 3 })
    clock.advance(1_000_000)
    expect(await takeDueWork(dueJobs(clock), { store: single.store, clock }, 10)).toEqual([])
  })

  it('of an unknown kind fails', async () => {
    const { jobs, run } = jobsWith(toThree)
    const id = await jobs.start(tenant, actor, 'unheard-of', {})
    await run(sent.at(-1)?.message as JobMessage)
    expect(await findJob(single.store, tenant, id)).toMatchObject({
      status: 'failed',
      errors: [{ message: 'There is no kind of job unheard-of.' }],
    })
  })

  it('can hold thousands of errors', async () => {
    const errors = Array.from({ length: 5000 }, (_, row) => ({
      row,
      message: 'The title field is required.',
      errors: { title: ['The title field is required.'] },
    }))
    const { run, start } = jobsWith(() => ({ ended: 'failed', errors }))
    const { id, message } = await start()
    await run(message)
    expect((await findJob(single.store, tenant, id))?.errors).toEqual(errors)
  })
})

it('lists as many errors as its row holds, in their order, and says how many it leaves out', async () => {
  const text = () => randomBytes(72).toString('base64url')
  const errors = Array.from({ length: 10_000 }, (_, row) => ({ message: `Row ${row}: ${text()}`, row }))
  const { start, run } = jobsWith((state = 0) =>
    state === 10 ? { ended: 'failed' } : { state: state + 1, errors: errors.slice(state * 1000, (state + 1) * 1000) },
  )
  const { id, message } = await start()
  await run(message)
  const job = await findJob(single.store, tenant, id)
  expect(job?.status).toBe('failed')
  const listed = job?.errors ?? []
  expect(listed.length).toBeGreaterThan(1_000)
  expect(listed).toEqual(errors.slice(0, listed.length))
  expect(listed.length + (job?.unlistedErrors ?? 0)).toBe(10_000)
  expect(answerJob(job as StoredJob).errors.at(-1)).toEqual({
    message: `${job?.unlistedErrors} more errors are not listed.`,
  })
})
