import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { finishedJob } from '../../make/builders/finished-job.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { startService, type ApiAnswer, type TestService } from '../../make/services/service.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown): Promise<ApiAnswer> =>
  service.api(method, path, { token: service.admin.token, body })
beforeAll(async () => {
  // The request works on no page: a job does.
  service = await startService({ environment: { ANSWER_WITHIN_MS: '0' } })
  await makeTable(service, 'things', [
    { name: 'name', type: 'text', required: true },
    { name: 'count', type: 'integer' },
  ])
})
afterEach(() => service.cloud.faults.clear())
afterAll(() => service?.stop())

const jobRunner = (): string => service.cloud.functions.find((name) => name.startsWith('JobRunner')) as string

async function make(count: number): Promise<number[]> {
  const { body } = await api('POST', '/api/e/things/import', {
    rows: Array.from({ length: count }, (_, n) => ({ name: `thing ${n}`, count: 0 })),
  })
  return (await finishedJob(service, body.data.job_id)).result.ids
}

describe('a bulk change that takes too long for its request', () => {
  it.each(['crash-before', 'crash-after', 'lose-answer', 'repeat'] as const)(
    'is continued by a job after %s, changes every record once, and is undone',
    async (action) => {
      const ids = await make(120)
      const fault = service.cloud.faults.inject({
        operation: 'TransactWriteItems',
        functionName: jobRunner(),
        skip: 70,
        action,
      })
      const { status, body } = await api('POST', '/api/e/things/bulk', { ids, set: { count: 7 } })
      expect(status).toBe(202)
      expect(body.data).toEqual({ job_id: expect.any(Number), batch_id: expect.any(Number), matched: 120 })
      const job = await finishedJob(service, body.data.job_id)
      expect(fault.struck).toBe(1)
      expect(job).toMatchObject({
        kind: 'batch',
        status: 'done',
        done: 120,
        total: 120,
        result: { batch_id: body.data.batch_id, matched: 120, changed: 120, unchanged: 0, failed: 0, errors: [] },
      })
      const versions = async () =>
        (
          await api('POST', '/api/e/things/list-server', { filter: { id: { _in: ids } }, per_page: 1000 })
        ).body.data.map(({ version, data }: any) => [version, data.count])
      expect(await versions()).toEqual(ids.map(() => [2, 7]))
      const undone = await api('POST', `/api/sys/batches/${body.data.batch_id}/undo`)
      const undo = await finishedJob(service, undone.body.data.job_id)
      expect(undo).toMatchObject({ status: 'done', result: { matched: 120, changed: 120, failed: 0, kept: [] } })
      expect(await versions()).toEqual(ids.map(() => [3, 0]))
    },
    240_000,
  )
})
