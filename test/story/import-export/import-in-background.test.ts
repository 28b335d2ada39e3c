import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { finishedJob } from '../../make/builders/finished-job.ts'
import { userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { startService, type ApiAnswer, type TestService } from '../../make/services/service.ts'

let service: TestService
beforeAll(async () => {
  // The request waits for no transaction: a job stores the rows.
  service = await startService({ environment: { ANSWER_WITHIN_MS: '0' } })
  await makeTable(service, 'things', [
    { name: 'name', type: 'text', required: true },
    { name: 'code', type: 'text', unique: true },
  ])
})
afterEach(() => service.cloud.faults.clear())
afterAll(() => service?.stop())

const rows = (count: number): object[] =>
  Array.from({ length: count }, (_, n) => (n % 100 === 7 ? {} : { name: `thing ${n}` }))
const send = (given: readonly object[], key?: string): Promise<ApiAnswer> =>
  service.api('POST', '/api/e/things/import', {
    token: service.admin.token,
    body: { rows: given },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  })
const list = (query: string): Promise<ApiAnswer> =>
  service.api('GET', `/api/e/things?${query}`, { token: service.admin.token })

describe('an import that takes too long for its request', () => {
  it('continues as a job whose result covers all rows', async () => {
    const { status, body } = await send(rows(300))
    expect(status).toBe(202)
    expect(body.data).toEqual({ job_id: expect.any(Number), created: expect.any(Number) })
    const job = await finishedJob(service, body.data.job_id)
    expect(job).toMatchObject({
      kind: 'import',
      status: 'done',
      done: 300,
      total: 300,
      result: { total: 300, created: 297, failed: 3 },
    })
    expect(job.errors.map(({ row }: { row: number }) => row)).toEqual([7, 107, 207])
    const { body: listed } = await list('per_page=1000&sort=id')
    expect(listed.meta.total).toBe(297)
    expect(listed.data.map(({ id }: { id: number }) => id)).toEqual(
      job.result.ids.filter((id: number | null) => id !== null),
    )
    const history = await service.api('GET', `/api/sys/history/things/${job.result.ids[299]}`, {
      token: service.admin.token,
    })
    expect(history.body.data).toMatchObject([
      { action: 'create', source: 'import', user: { id: service.admin.userId } },
    ])
  })

  it('answers a repeat of its Idempotency-Key with the same job', async () => {
    const first = await send(rows(200), 'nightly')
    const second = await send(rows(200), 'nightly')
    expect(second.status).toBe(202)
    expect(second.body).toEqual(first.body)
    await finishedJob(service, first.body.data.job_id)
    expect((await send(rows(200), 'nightly')).body).toEqual(first.body)
    expect((await send(rows(201), 'nightly')).status).toBe(422)
  })

  it.each(['crash-before', 'crash-after', 'lose-answer', 'repeat'] as const)(
    'resumes after %s of its job, and stores every row once',
    async (action) => {
      const before = (await list('per_page=1')).body.meta.total
      const fault = service.cloud.faults.inject({
        operation: 'TransactWriteItems',
        functionName: jobRunner(),
        skip: 1,
        action,
      })
      const { body } = await send(rows(400))
      const job = await finishedJob(service, body.data.job_id)
      expect(fault.struck).toBe(1)
      expect(job).toMatchObject({ status: 'done', result: { total: 400, created: 396, failed: 4 } })
      expect(await countAll()).toBe(before + 396)
      expect((await list('per_page=1')).body.meta.total).toBe(before + 396)
    },
    240_000,
  )
})

describe('an import by a user with row rules', () => {
  const asAdmin = (method: string, path: string, body: object) =>
    service.api(method, path, { token: service.admin.token, body })

  it('lets rows refer only to records that the user may see, in the job as in the request', async () => {
    await makeTable(service, 'owners', [{ name: 'name', type: 'text' }])
    await makeTable(service, 'owned', [{ name: 'owner', type: 'model_list', target_table: 'owners' }])
    const ids = await Promise.all(
      ['Ann', 'Bond'].map(async (name) => (await asAdmin('POST', '/api/e/owners', { name })).body.data.id as number),
    )
    const user = await userWith(
      service,
      ['owned.*', 'owners.read'],
      [{ table: 'owners', action: 'read', filter: { name: 'Ann' } }],
    )
    const given = Array.from({ length: 300 }, (_, n) => ({ owner: ids[n % 2] }))
    const { status, body } = await service.api('POST', '/api/e/owned/import', {
      token: user.token,
      body: { rows: given },
    })
    expect([status, body.data.created < 150]).toEqual([202, true])
    const job = await finishedJob(service, body.data.job_id)
    expect(job).toMatchObject({ status: 'done', result: { total: 300, created: 150, failed: 150 } })
    expect(job.errors[0]).toMatchObject({ row: 1, errors: { owner: ['The selected owner is invalid.'] } })
  })
})

const jobRunner = (): string => service.cloud.functions.find((name) => name.startsWith('JobRunner')) as string

async function countAll(): Promise<number> {
  let count = 0
  let cursor: string | null = null
  do {
    const { body }: ApiAnswer = await list(`per_page=1000&sort=id${cursor ? `&cursor=${cursor}` : ''}`)
    count += body.data.length
    cursor = body.meta.next_cursor
  } while (cursor)
  return count
}
