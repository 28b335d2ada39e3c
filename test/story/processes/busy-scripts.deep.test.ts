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
const statuses = ['running', 'incident', 'completed'] as const

it('ends every process, though there are more scripts at once than threads', async () => {
  const busy = scriptTask('busy', 'const until = Date.now() + 700; while (Date.now() < until);')
  const model = await tableWithProcess(service, inARow(start, busy, end))
  const rows = Array.from({ length: count }, (_, n) => ({ title: `${n}`, amount: 0 }))
  await service.api('POST', `/api/e/${model}/import`, { token: service.admin.token, body: { rows } })
  const countsOf = () =>
    Promise.all(
      statuses.map(
        async (status) =>
          (await read(service, `/api/sys/process-instances?model=${model}&status=${status}&per_page=100`)).length,
      ),
    )
  const last = await eventually(
    'the end of all',
    async () => {
      const counts = await countsOf()
      return counts[1] > 0 || counts[2] === count ? counts : undefined
    },
    240_000,
  )
  expect(last).toEqual([0, 0, count])
}, 300_000)
