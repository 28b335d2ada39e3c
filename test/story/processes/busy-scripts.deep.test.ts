import { afterAll, beforeAll, expect, it } from 'vitest'
import { tableWithProcess } from '../../make/builders/processes/approvals.ts'
import { end, eventually, inARow, read, scriptTask, start } from '../../make/builders/processes/processes.ts'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ log: () => {} })
})
afterAll(() => service?.stop())

const count = 60

it('ends every process, though there are more scripts at once than threads', async () => {
  // The limit is 1 s of computing, which counts on while the thread has no processor.
  const busy = scriptTask('busy', 'const until = Date.now() + 400; while (Date.now() < until);')
  const model = await tableWithProcess(service, inARow(start, busy, end))
  const rows = Array.from({ length: count }, (_, n) => ({ title: `${n}`, amount: 0 }))
  await service.api('POST', `/api/e/${model}/import`, { token: service.admin.token, body: { rows } })
  const instances = (status: string): Promise<any[]> =>
    read(service, `/api/sys/process-instances?model=${model}&status=${status}&per_page=100`)
  const failed = await eventually(
    'the end of all',
    async () => {
      const incidents = await instances('incident')
      return incidents.length > 0 || (await instances('completed')).length === count ? incidents : undefined
    },
    240_000,
  )
  const { incidents } = failed[0]
    ? await read(service, `/api/sys/process-instances/${failed[0].id}`)
    : { incidents: [] }
  expect(incidents).toEqual([])
}, 300_000)
