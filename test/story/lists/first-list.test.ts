import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tenantKey } from '../../../shared/platform/store/keys/auth.ts'
import { deploymentWide } from '../../../shared/platform/store/store.ts'
import { exists } from '../../../shared/platform/store/writes/conditions.ts'
import { makeRequests } from '../../make/builders/records/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'

const list = '/api/e/requests/list-server'
/** So many that the log is folded into blocks. */
const rows = 4_500

let directory: string
let token: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'first-list-'))
  const before = await startService({ dataDirectory: directory })
  token = before.admin.token
  await makeRequests(before)
  const titles = Array.from({ length: rows }, (_, n) => ({ title: `r${n}`, priority: 1 + (n % 5) }))
  for (let from = 0; from < rows; from += 500)
    await before.api('POST', '/api/e/requests/import', { token, body: { rows: titles.slice(from, from + 500) } })
  await before.cloud.idle()
  await before.stop()
})
afterAll(() => rm(directory, { recursive: true, force: true }))

/** As if the configuration had changed two minutes ago: who knows it to be settled reads it with the caller. */
async function settleConfiguration({ store }: TestService): Promise<void> {
  const change = { expression: 'SET config_changed_at_ms = :then', values: { ':then': Date.now() - 120_000 } }
  await store.write(deploymentWide, { update: tenantKey({ id: 1 }), change, if: exists })
}

async function withService<T>(use: (service: TestService) => Promise<T>): Promise<T> {
  const service = await startService({ dataDirectory: directory, seeded: false })
  try {
    return await use(service)
  } finally {
    await service.stop()
  }
}

async function callsOf(service: TestService, body: unknown) {
  service.cloud.recordCalls()
  const answer = await service.api('POST', list, { token, body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  const { calls } = service.cloud.callsOf(answer.headers.get('apigw-requestid') as string)
  return { body: answer.body, operations: calls.map(({ operation }) => operation) }
}

it('takes eight calls for the first list of a process: token; caller, configuration and manifest; four shards of changes beside blocks and log; records', async () => {
  await withService(settleConfiguration)
  await withService(async (service) => {
    const { body, operations } = await callsOf(service, { filter: { priority: 3 } })
    expect(body.meta.total).toBe(rows / 5)
    const changes = ['Query', 'Query', 'Query', 'Query']
    expect(operations).toEqual(['GetItem', 'BatchGetItem', ...changes, 'BatchGetItem', 'BatchGetItem'])
  })
})

it('takes one more when the configuration changed a moment ago', async () => {
  await withService((service) =>
    service.api('POST', '/api/sys/roles', { token, body: { name: 'late', permissions: ['requests.read'] } }),
  )
  await withService(async (service) => {
    const { operations } = await callsOf(service, { filter: { priority: 3 } })
    expect(operations).toHaveLength(9)
  })
})

it('shows what changed after the columns were read ahead by a list that did not need them', () =>
  withService(async (service) => {
    const whole = await callsOf(service, {})
    expect(whole.body.meta.total).toBe(rows)
    const { id } = whole.body.data[0]
    await service.api('PATCH', `/api/e/requests/${id}`, { token, body: { title: 'changed meanwhile' } })
    const { body } = await callsOf(service, { filter: { title: 'changed meanwhile' } })
    expect(body.data.map((row: { id: number }) => row.id)).toEqual([id])
  }))

it('reads columns ahead once for lists that do not need them', () =>
  withService(async (service) => {
    const read: string[][] = []
    for (let n = 0; n < 2; n += 1) {
      service.cloud.recordCalls()
      const answer = await service.api('POST', list, { token, body: {} })
      const { calls } = service.cloud.callsOf(answer.headers.get('apigw-requestid') as string)
      read.push(calls.map(({ input }) => JSON.stringify(input)).filter((input) => input.includes('MANIFEST')))
    }
    expect(read.map(({ length }) => length)).toEqual([1, 0])
  }))
