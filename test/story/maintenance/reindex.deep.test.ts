import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { reindexTable } from '../../../shared/operations/maintenance/rebuild/reindex-table.ts'
import { createJobs } from '../../../shared/platform/jobs/service.ts'
import { createConfig } from '../../../shared/platform/store/config.ts'
import { readSequence } from '../../../shared/platform/store/sequence/sequence.ts'
import { searchReader } from '../../make/builders/lists/search-reader.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'

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

it('a reindex makes the column index anew and counts the records, whatever was stored before and while records are written', async () => {
  const { store } = service
  const ids = await Promise.all(
    Array.from({ length: 20 }, (_, at) => create({ title: `printer ${at}`, flag: at % 2 === 0 })),
  )
  await service.cloud.idle()
  const doomed = await Promise.all(Array.from({ length: 5 }, (_, n) => create({ title: `doomed ${n}` })))
  await store.write(tenant, {
    update: { pk: `T#1#SEQ#${model}`, sk: model },
    change: { expression: 'ADD #live :n', names: { '#live': 'live' }, values: { ':n': 100 } },
  })

  const jobs = createJobs({ store, clock, send: async () => [], queueUrl: '' })
  const id = (await reindexTable({ store, config: createConfig(store, clock), clock, jobs }, tenant, model)) as number
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

  const { find } = searchReader(service)
  expect((await find(model, 'printer')).sort((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b))
  expect(await find(model, 'doomed')).toEqual([])
  expect(await find(model, 'later')).toHaveLength(20)
  expect((await api('GET', `/api/e/${model}`)).body.meta.total).toBe(40)
  expect((await readSequence(store, tenant, model)).live).toBe(40)
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
