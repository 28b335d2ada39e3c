import { afterAll, expect, it } from 'vitest'
import { deploymentWide } from '../../../shared/platform/store/store.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'
import { everyItem } from '../../make/services/stores/whole-store.ts'

const running: TestService[] = []
const begin = async (seeded: boolean): Promise<TestService> => {
  const service = await startService({ log: () => {}, seeded, environment: { SETTLE_MS: '0', REPAIR_AFTER_MS: '0' } })
  running.push(service)
  return service
}
afterAll(() => Promise.all(running.map((service) => service.stop())))

/** The drill of docs/operate.md, as far as it needs no AWS: a stage is pointed at a copy of its table. */
it('a restored table is taken into use: sessions, lists and ids continue, and the stream is followed', async () => {
  const lost = await begin(true)
  const { token } = lost.admin
  await makeTable(lost, 'plans', [
    { name: 'title', type: 'text', searchable: true },
    { name: 'code', type: 'text', unique: true },
  ])
  for (const code of ['a', 'b', 'c'])
    await lost.api('POST', '/api/e/plans', { token, body: { title: `Plan ${code}`, code } })
  await lost.api('PATCH', '/api/e/plans/2', { token, body: { title: 'Plan changed' } })
  await lost.api('DELETE', '/api/e/plans/3', { token })
  await lost.cloud.idle()
  const stored = await everyItem(lost)

  // What a restore by DynamoDB makes: a table with these items, which the stage is pointed at.
  const restored = await begin(false)
  await restored.store.putMany(deploymentWide, stored)
  await restored.cloud.idle()
  const api = (method: string, path: string, body?: unknown) => restored.api(method, path, { token, body })
  const titles = async (query: string) =>
    (await api('GET', `/api/e/plans?sort=id&${query}`)).body.data.map(({ data }: any) => data.title)

  expect(await titles('')).toEqual(['Plan a', 'Plan changed'])
  expect(await titles('search=changed')).toEqual(['Plan changed'])
  expect(await titles(`filter=${encodeURIComponent('{"code":"a"}')}`)).toEqual(['Plan a'])
  expect((await api('POST', '/api/e/plans', { title: 'Twice', code: 'a' })).status).toBe(422)

  // What is written from now on is followed.
  const made = await api('POST', '/api/e/plans', { title: 'Plan after', code: 'd' })
  expect([made.status, made.body.data.id > 3]).toEqual([201, true])
  await restored.cloud.idle()
  expect(await titles('search=after')).toEqual(['Plan after'])
  expect((await api('GET', `/api/sys/history/plans/${made.body.data.id}`)).body.data).toHaveLength(1)
  expect((await api('GET', '/api/sys/history/plans/2')).body.data).toHaveLength(2)

  // The nightly repair is the proof: it has nothing to repair.
  await restored.cloud.invoke('nightly-repair')
  await restored.cloud.idle()
  const jobs = (await api('GET', '/api/sys/jobs')).body.data.filter(({ kind }: any) => kind === 'repair')
  expect(jobs.length).toBeGreaterThan(0)
  for (const { id } of jobs) {
    const job = (await api('GET', `/api/sys/jobs/${id}`)).body.data
    expect([job.status, job.errors, job.result]).toEqual(['done', [], expect.anything()])
    expect(Object.values(job.result as Record<string, number>).every((count) => count === 0)).toBe(true)
  }
})
