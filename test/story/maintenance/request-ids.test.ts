import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { finishedJob } from '../../make/builders/finished-job.ts'
import { setHooks } from '../../make/builders/records/hooks.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'
import { everyItem } from '../../make/services/stores/whole-store.ts'

interface Line {
  readonly service?: string
  readonly message?: string
  readonly request_id?: string
}
let service: TestService
let lines: Line[] = []

beforeAll(async () => {
  const onOutput = (_function: string, text: string) => {
    for (const line of text.split('\n')) if (line.startsWith('{')) lines.push(JSON.parse(line) as Line)
  }
  service = await startService({ log: () => {}, onOutput, parameters: { LogLevel: 'DEBUG' } })
  await makeTable(service, 'plans', [{ name: 'title', type: 'text' }])
  const channel = await service.api('POST', '/api/sys/channels', {
    token: service.admin.token,
    body: { name: 'works', type: 'email', config: { from_address: 'desk@acme.test', transport: 'ses' } },
  })
  const send = `$api.sendToChannel(${channel.body.data.id}, { recipients: ['ann@acme.test'], body: 'Hello' })`
  await setHooks(service, 'plans', [['after_create', send]])
  await service.cloud.idle()
})
afterAll(() => service?.stop())
beforeEach(() => {
  lines = []
})

/** Which functions logged a line with the id, and what it said. */
const told = (id: string) =>
  new Set(lines.filter((line) => line.request_id === id).map(({ service: name, message }) => `${name}: ${message}`))

it('one id is in the lines of the request, of what follows its change, and of the delivery', async () => {
  const answer = await service.api('POST', '/api/e/plans', { token: service.admin.token, body: { title: 'A plan' } })
  const id = answer.headers.get('x-request-id') as string
  await service.cloud.idle()
  expect(told(id)).toEqual(
    new Set([
      'records: request',
      'search-indexer: message handled',
      'delivery-expansion: message handled',
      'delivery-email: attempt',
      'delivery-email: message handled',
    ]),
  )
  const rows = (await everyItem(service)).filter(({ request_id: of }) => of === id)
  expect(rows.map(({ kind }) => kind).toSorted()).toEqual(['delivery', 'intent', 'record'])
})

it('a job and what its steps write keep the id of the request that started it', async () => {
  const answer = await service.api('POST', '/api/tenant/export', { token: service.admin.token })
  const id = answer.headers.get('x-request-id') as string
  await finishedJob(service, answer.body.data.job_id)
  await service.cloud.idle()
  expect(told(id)).toContain('job-runner: job ended')
})
