import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { finishedJob } from '../../make/builders/finished-job.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { startService, type ApiAnswer, type TestService } from '../../make/services/service.ts'

let service: TestService
let relation: number
const api = (method: string, path: string, body?: unknown): Promise<ApiAnswer> =>
  service.api(method, path, { token: service.admin.token, body })
beforeAll(async () => {
  // The request moves neither links nor references: a job does.
  service = await startService({ environment: { ANSWER_WITHIN_MS: '0' } })
  await makeTable(service, 'tickets', [
    { name: 'title', type: 'text', required: true },
    { name: 'phone', type: 'text' },
  ])
  await makeTable(service, 'jobs', [
    { name: 'name', type: 'text', required: true },
    { name: 'ticket', type: 'model_list', target_table: 'tickets' },
  ])
  const made = await api('POST', '/api/sys/relations', { name: 'Devices', l_table: 'tickets', r_table: 'jobs' })
  relation = made.body.data.id
})
afterEach(() => service.cloud.faults.clear())
afterAll(() => service?.stop())

const jobRunner = (): string => service.cloud.functions.find((name) => name.startsWith('JobRunner')) as string

async function make(model: string, rows: readonly object[]): Promise<number[]> {
  const { body } = await api('POST', `/api/e/${model}/import`, { rows })
  return (await finishedJob(service, body.data.job_id)).result.ids
}
const ids = ({ body }: ApiAnswer): number[] =>
  body.data.map((one: { id: number }) => one.id).toSorted((a: number, b: number) => a - b)
const linked = async (ticket: number) =>
  ids(await api('GET', `/api/sys/related_instances/${relation}/tickets/${ticket}?per_page=1000`))
const referring = async (ticket: number) =>
  ids(await api('POST', '/api/e/jobs/list-server', { filter: { ticket }, per_page: 1000 }))

describe('a merge that takes too long for its request', () => {
  it.each(['crash-before', 'crash-after', 'lose-answer', 'repeat'] as const)(
    'is continued by a job after %s, doubles nothing, and is unmerged',
    async (action) => {
      const [into, from] = (await make('tickets', [{ title: 'A' }, { title: 'B', phone: '7' }])) as [number, number]
      const jobs = await make(
        'jobs',
        Array.from({ length: 60 }, (_, n) => ({ name: `job ${n}`, ticket: from })),
      )
      const link = (ticket: number, some: readonly number[]) =>
        api('POST', `/api/sys/add_related_instances/${relation}/l_table/${ticket}`, { ids: some })
      await link(from, jobs)
      await link(into, jobs.slice(0, 10))
      const fault = service.cloud.faults.inject({
        operation: 'TransactWriteItems',
        functionName: jobRunner(),
        skip: 30,
        action,
      })
      const merged = await api('POST', `/api/e/tickets/${from}/merge`, { into })
      expect(merged.status).toBe(202)
      // The mark comes first: nobody writes the record while its links move.
      expect((await api('PATCH', `/api/e/tickets/${from}`, { phone: '8' })).body.code).toBe('record_merged')
      const job = await finishedJob(service, merged.body.data.job_id)
      expect(fault.struck).toBe(1)
      expect(job).toMatchObject({
        status: 'done',
        result: { merged_into: into, filled: ['phone'], changed: 62, failed: 0, moves: { links: 60, references: 60 } },
      })
      expect(await linked(into)).toEqual(jobs)
      expect(await linked(from)).toEqual([])
      expect(await referring(into)).toEqual(jobs)
      service.cloud.faults.clear()

      const unmerged = await api('POST', `/api/e/tickets/${from}/unmerge`)
      expect(unmerged.status).toBe(202)
      const back = await finishedJob(service, unmerged.body.data.job_id)
      expect(back).toMatchObject({ status: 'done', result: { changed: 61, failed: 0, kept: [] } })
      expect(await linked(from)).toEqual(jobs)
      expect(await linked(into)).toEqual(jobs.slice(0, 10))
      expect(await referring(from)).toEqual(jobs)
      expect(await referring(into)).toEqual([])
    },
    240_000,
  )
})
