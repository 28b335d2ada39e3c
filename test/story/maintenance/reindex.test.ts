import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createJobs } from '../../../shared/jobs/service.ts'
import { clock } from '../../../shared/kernel/clock.ts'
import { reindexTable } from '../../../shared/maintenance/rebuild/reindex-table.ts'
import { createConfig } from '../../../shared/store/config.ts'
import { searchReader } from '../../make/builders/search-reader.ts'
import { makeTable } from '../../make/builders/tables.ts'
import { compareIndex } from '../../make/oracles/compare-index.ts'
import { startService, type TestService } from '../../make/services/service.ts'
import { scanner } from '../../make/services/single-table.ts'

const tenant = { id: 1 }
const model = 'things'
let service: TestService
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
const create = async (body: object) => (await api('POST', `/api/e/${model}`, body)).body.data.id as number

beforeAll(async () => {
  service = await startService({ log: () => {}, environment: { SETTLE_MS: '200' } })
  await makeTable(service, model, [
    { name: 'title', type: 'text' },
    { name: 'flag', type: 'boolean' },
  ])
})
afterAll(() => service?.stop())

async function ended(id: number) {
  for (;;) {
    const { data } = (await api('GET', `/api/sys/jobs/${id}`)).body
    if (data.status === 'done' || data.status === 'failed') return data
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

it('a reindex rebuilds postings and counters and counts the records, whatever was stored before and while records are written', async () => {
  const { store } = service
  const ids = await Promise.all(
    Array.from({ length: 20 }, (_, at) => create({ title: `printer ${at}`, flag: at % 2 === 0 })),
  )
  await service.cloud.idle()
  await store.write(tenant, { put: { pk: `T#1#S#${model}#gh`, sk: 'ghost#000000000001', w: 80 } })
  await store.write(tenant, { remove: { pk: `T#1#S#${model}#pr`, sk: `printer#${String(ids[3]).padStart(12, '0')}` } })
  await store.write(tenant, { put: { pk: `T#1#N#${model}#flag`, sk: '=true', n: 999 } })
  const doomed = await Promise.all(Array.from({ length: 5 }, (_, n) => create({ title: `doomed ${n}` })))
  await store.write(tenant, {
    update: { pk: `T#1#SEQ#${model}`, sk: model },
    change: { expression: 'ADD #live :n', names: { '#live': 'live' }, values: { ':n': 100 } },
  })
  expect((await api('GET', `/api/e/${model}`)).body.meta.total).toBe(125)

  const jobs = createJobs({ store, clock, send: async () => [], queueUrl: '' })
  const id = (await reindexTable({ store, config: createConfig(store, clock), clock, jobs }, tenant, model)) as number
  expect(await searchReader(service).counts(model, 'flag')).toBeUndefined()
  await service.cloud.invoke('due-sweeper')
  const working = ended(id)
  const removed: number[] = []
  for (let n = 0; n < 20; n += 1) {
    await api('PATCH', `/api/e/${model}/${await create({ title: `late ${n}` })}`, { title: `later ${n}` })
    if (n < doomed.length) removed.push((await api('DELETE', `/api/e/${model}/${doomed[n]}`)).status)
  }
  expect(removed).toEqual(doomed.map(() => 204))
  expect(await working).toMatchObject({ kind: 'rebuild', status: 'done', errors: [] })
  await service.cloud.idle()

  const { items } = await store.query(tenant, { pk: `T#1#R#${model}` })
  const records = new Map(items.map(({ sk, data }) => [Number(sk), JSON.parse(String(data))]))
  const client = new DynamoDBClient(service.cloud.clientOptions('dynamodb'))
  const { held, wanted } = await compareIndex(
    { itemsOf: scanner(client, service.cloud.tables[0] as string) },
    tenant,
    await searchReader(service).table(model),
    records,
  )
  // A posting without a manifest stays in the old generation, which is not read any more.
  delete held.postings[`T#1#S#${model}#gh ghost#000000000001`]
  expect(held).toEqual(wanted)
  expect(await searchReader(service).find(model, 'ghost')).toEqual([])
  expect(await searchReader(service).find(model, 'printer')).toHaveLength(20)
  expect(await searchReader(service).counts(model, 'flag')).toEqual({ true: 10, false: 10, null: 20 })
  expect((await api('GET', `/api/e/${model}`)).body.meta.total).toBe(40)
})

it('npm run reindex prints its usage on request and for unknown options', async () => {
  const run = (...given: string[]) =>
    promisify(execFile)('node', ['infra/operate/reindex.ts', ...given], {
      env: { ...process.env, DATA_DIR: '/nowhere/to/be/found' },
    }).then(
      ({ stdout }) => ({ code: 0, text: stdout }),
      (error: { code: number; stderr: string }) => ({ code: error.code, text: error.stderr }),
    )
  expect(await run('--help')).toMatchObject({ code: 0, text: expect.stringContaining('npm run reindex') })
  expect(await run('--tabel', 'x')).toMatchObject({ code: 1, text: expect.stringContaining('Usage') })
})
