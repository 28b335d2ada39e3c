import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { finishedJob } from '../../make/builders/finished-job.ts'
import { userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
const list = (query = '', token = service.admin.token) => service.api('GET', `/api/sys/jobs${query}`, { token })

beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'things', [{ name: 'title', type: 'text' }])
})
afterAll(() => service?.stop())

describe('the list of jobs', () => {
  it('has every job of the tenant, newest first, without what it was given and made', async () => {
    const { token } = service.admin
    const ids: number[] = []
    for (let n = 0; n < 3; n += 1) {
      const started = await service.api('POST', '/api/tenant/export', { token })
      expect(started.status).toBe(202)
      ids.unshift(started.body.data.job_id)
      await finishedJob(service, started.body.data.job_id)
    }
    const { status, body } = await list()
    expect([status, body.meta.total]).toEqual([200, ids.length])
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual(ids)
    expect(body.data[0]).toEqual({
      id: ids[0],
      kind: 'tenant-export',
      status: 'done',
      done: expect.any(Number),
      total: expect.toSatisfy((total) => total === null || typeof total === 'number'),
      started_by: service.admin.userId,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect((await list('?per_page=1')).body.data).toEqual([body.data[0]])
    expect((await list('?status=done&kind=tenant-export')).body.data).toEqual(body.data)
    expect((await list('?status=failed')).body.data).toEqual([])
    expect((await list('?kind=import')).body.data).toEqual([])
  })

  it('names the statuses and kinds that there are', async () => {
    expect((await list('?status=finished')).body.errors.status[0]).toContain('queued')
    expect((await list('?kind=tenant-exprot')).body.errors.kind[0]).toContain('tenant-export')
  })

  it('is for administrators', async () => {
    const { token } = await userWith(service, ['things.read'])
    expect((await list('', token)).status).toBe(403)
  })
})
