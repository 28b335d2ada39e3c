import { afterAll, beforeAll, expect, it } from 'vitest'
import { dueItems } from '../../../shared/platform/store/due/due-items.ts'
import { keyOfItem } from '../../../shared/platform/store/keys/key.ts'
import { processDuePartitions } from '../../../shared/platform/store/keys/processes.ts'
import { dueSlot, slotSort } from '../../../shared/platform/store/slots.ts'
import { deploymentWide } from '../../../shared/platform/store/store.ts'
import { elementsOf, tableWithProcess } from '../../make/builders/processes/approvals.ts'
import { end, eventually, inARow, read, setFields, start, timer } from '../../make/builders/processes/processes.ts'
import { runs } from '../../make/depth.ts'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ log: () => {} })
})
afterAll(() => service?.stop())

const count = runs(300, 60)
const longAgo = '2020-01-01T00:00:00.000Z'

/** Makes the timers of all instances due at the same moment. */
async function makeAllDue(): Promise<number> {
  const rows = (await dueItems(service.store, processDuePartitions, '9999', 10_000)).flat()
  for (const row of rows)
    await service.store.write(deploymentWide, {
      update: keyOfItem(row),
      change: {
        expression: 'SET s20 = :sort, due_at = :at',
        values: { ':sort': slotSort(row, dueSlot).replace(/^[^#]+/, longAgo), ':at': longAgo },
      },
    })
  return rows.length
}

it('fires many timers that are due at once, each once, after one run of the sweeper', async () => {
  const elements = inARow(
    start,
    `<intermediateCatchEvent id="wait">${timer('timeDuration', 'PT1H')}</intermediateCatchEvent>`,
    setFields('mark', { amount: '${record.amount + 1}' }),
    end,
  )
  const model = await tableWithProcess(service, elements)
  const rows = Array.from({ length: count }, (_, n) => ({ title: `${n}`, amount: 0 }))
  await service.api('POST', `/api/e/${model}/import`, { token: service.admin.token, body: { rows } })
  const countOf = async (status: string): Promise<number> => {
    const path = `/api/sys/process-instances?status=${status}&per_page=1`
    return (await service.api('GET', path, { token: service.admin.token })).body.meta.total
  }
  await eventually('all wait', async () => ((await countOf('running')) === count ? true : undefined), 60_000)
  await service.cloud.idle()
  expect(await makeAllDue()).toBe(count)

  expect(await service.cloud.invoke('due-sweeper')).toMatchObject({ processes: count })
  const hasFired = async () => ((await countOf('completed')) === count ? true : undefined)
  await eventually('all fired', hasFired, 60_000)

  expect(await service.cloud.invoke('due-sweeper')).toMatchObject({ processes: 0 })
  await service.cloud.idle()
  expect(await dueItems(service.store, processDuePartitions, '9999', 10)).toEqual(processDuePartitions.map(() => []))
  const marked = await read(service, `/api/e/${model}?per_page=1000&filter=${JSON.stringify({ amount: 1 })}`)
  expect(marked).toHaveLength(count)
  const [{ id }] = await read(service, '/api/sys/process-instances?per_page=1')
  expect(elementsOf(await read(service, `/api/sys/process-instances/${id}`))).toEqual(['start', 'wait', 'mark', 'end'])
})
