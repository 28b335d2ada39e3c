import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { finishedJob } from '../../make/builders/finished-job.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { type TestService, sharedService } from '../../make/services/service.ts'

let service: TestService
let count = 0
let model: string
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
const title = { name: 'title', type: 'text' }

beforeAll(async () => {
  service = await sharedService()
})
afterAll(() => service?.stop())
beforeEach(async () => {
  model = `things_${(count += 1)}`
  await makeTable(service, model, [title])
})
const records = async () => (await api('GET', `/api/e/${model}`)).body.meta?.total

/** Makes `change` while a create is in flight: when the record was checked and is about to get its id. */
async function createDuring(change: () => Promise<unknown>) {
  let changed: Promise<unknown> | undefined
  service.cloud.faults.inject({
    operation: 'UpdateItem',
    when: ({ input }: any) => changed === undefined && input.Key.pk.S.endsWith(`#SEQ#${model}`),
    action: { delay: () => (changed ??= change()).then(() => {}) },
  })
  const created = await api('POST', `/api/e/${model}`, { title: 'A' })
  service.cloud.faults.clear()
  return { created, changed: (await changed) as { status: number } | undefined }
}

it('no record appears in a table that was removed while the record was being created', async () => {
  const { created, changed } = await createDuring(() => api('DELETE', `/api/sys/entities/name/${model}`))
  expect([changed?.status, created.status, created.body.code]).toEqual([204, 409, 'write_conflict'])
  await makeTable(service, model, [title])
  expect(await records()).toBe(0)
})

it('no record that was being created breaks a rule that its table got meanwhile', async () => {
  const fields = [title, { name: 'owner', type: 'text', required: true }]
  const { created, changed } = await createDuring(() =>
    api('PUT', `/api/sys/entities/name/${model}`, { table_fields: fields }),
  )
  expect([changed?.status, created.status, created.body.code]).toEqual([200, 409, 'write_conflict'])
  expect(await records()).toBe(0)
  expect((await api('POST', `/api/e/${model}`, { title: 'A' })).status).toBe(422)
  expect((await api('POST', `/api/e/${model}`, { title: 'A', owner: 'Ada' })).status).toBe(201)
})

/** Makes `change` just before the first transaction of `act` that counts new records. */
async function whileStoring<T>(act: () => Promise<T>, change: () => Promise<unknown>) {
  let changed: Promise<unknown> | undefined
  service.cloud.faults.inject({
    operation: 'TransactWriteItems',
    when: ({ input }: any) =>
      changed === undefined &&
      input.TransactItems.some(({ Update }: any) => Update?.Key.pk.S.endsWith(`#SEQ#${model}`)),
    action: { delay: () => (changed ??= change()).then(() => {}) },
  })
  const answer = await act()
  service.cloud.faults.clear()
  return { answer, changed: (await changed) as { status: number } | undefined }
}
const importTwo = () => api('POST', `/api/e/${model}/import`, { rows: [{ title: 'A' }, { title: 'B' }] })
const jobOf = (answer: { readonly body: any }) => finishedJob(service, answer.body.data.job_id)

it('no imported row appears in a table that was removed meanwhile, and its job says so', async () => {
  const { answer, changed } = await whileStoring(importTwo, () => api('DELETE', `/api/sys/entities/name/${model}`))
  expect([changed?.status, answer.status]).toEqual([204, 202])
  expect(await jobOf(answer)).toMatchObject({ status: 'failed', errors: [{ message: expect.any(String) }] })
  await makeTable(service, model, [title])
  expect(await records()).toBe(0)
})

it('no imported row appears in a table that was made anew under the same name', async () => {
  const { answer } = await whileStoring(importTwo, async () => {
    await api('DELETE', `/api/sys/entities/name/${model}`)
    await makeTable(service, model, [title])
  })
  expect(answer.status).toBe(202)
  expect(await jobOf(answer)).toMatchObject({
    status: 'failed',
    errors: [{ message: expect.stringContaining('made anew. Rows from 0 on were not stored') }],
  })
  expect(await records()).toBe(0)
})

it('imported rows keep the rules that their table got meanwhile', async () => {
  const fields = [title, { name: 'owner', type: 'text', required: true }]
  const { answer, changed } = await whileStoring(
    () => api('POST', `/api/e/${model}/import`, { rows: [{ title: 'A' }, { title: 'B', owner: 'Ada' }] }),
    () => api('PUT', `/api/sys/entities/name/${model}`, { table_fields: fields }),
  )
  expect([changed?.status, answer.status]).toEqual([200, 202])
  const job = await jobOf(answer)
  expect(job).toMatchObject({ status: 'done', result: { created: 1 } })
  expect((await api('GET', `/api/e/${model}`)).body.data).toMatchObject([{ data: { title: 'B', owner: 'Ada' } }])
})

it('no record is restored into a table that was removed meanwhile', async () => {
  const as_of = (await api('POST', `/api/e/${model}`, { title: 'A' })).body.data.created_at
  await api('DELETE', `/api/e/${model}/1`)
  await service.cloud.idle()
  const { answer, changed } = await whileStoring(
    () => api('POST', `/api/e/${model}/1/restore`, { as_of }),
    () => api('DELETE', `/api/sys/entities/name/${model}`),
  )
  expect([changed?.status, answer.status, answer.body.code]).toEqual([204, 409, 'write_conflict'])
  await makeTable(service, model, [title])
  expect(await records()).toBe(0)
})

it('a table made anew under the same name takes records, and what the service does to a table refuses none', async () => {
  expect((await api('POST', `/api/e/${model}`, { title: 'A' })).status).toBe(201)
  expect((await api('DELETE', `/api/sys/entities/name/${model}`)).status).toBe(409)
  expect((await api('DELETE', `/api/e/${model}/1`)).status).toBe(204)
  await service.cloud.idle()
  expect((await api('DELETE', `/api/sys/entities/name/${model}`)).status).toBe(204)
  await makeTable(service, model, [title])
  expect((await api('POST', `/api/e/${model}`, { title: 'B' })).status).toBe(201)
  expect(
    (await api('PUT', `/api/sys/entities/name/${model}`, { table_fields: [{ ...title, unique: true }] })).status,
  ).toBe(200)
  expect((await api('POST', `/api/e/${model}`, { title: 'C' })).status).toBe(201)
})
