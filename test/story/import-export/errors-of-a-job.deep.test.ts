import { afterAll, beforeAll, expect, it } from 'vitest'
import { finishedJob } from '../../make/builders/finished-job.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
beforeAll(async () => {
  // The request waits for no transaction: a job checks the rows.
  service = await startService({ environment: { ANSWER_WITHIN_MS: '0' } })
})
afterAll(() => service?.stop())

it(
  'fit into one answer of the job, however many fields of however many rows are wrong',
  { timeout: 240_000 },
  async () => {
    const names = Array.from({ length: 20 }, (_, n) => `wrong_${n}_`.padEnd(63, 'n'))
    await makeTable(
      service,
      'measurements',
      names.map((name) => ({ name, type: 'integer' })),
    )
    const row = Object.fromEntries(names.map((name) => [name, 'x']))
    const { body } = await service.api('POST', '/api/e/measurements/import', {
      token: service.admin.token,
      body: { rows: Array.from({ length: 2900 }, () => row) },
    })
    const path = `/api/sys/jobs/${body.data.job_id}`
    await service.cloud.idle()
    const { status, body: answer } = await service.api('GET', path, { token: service.admin.token })
    expect([status, answer.message]).toEqual([200, 'OK'])
    const job = await finishedJob(service, body.data.job_id)
    expect(job).toMatchObject({ status: 'done', result: { total: 2900, created: 0, failed: 2900 } })
    expect(job.errors).toHaveLength(2900)
    expect(Object.keys(job.errors[0].errors)).toHaveLength(20)
    expect(job.errors[2899]).toEqual({ row: 2899, errors: null, message: expect.any(String) })
    expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(5 * 1024 * 1024)
  },
)
