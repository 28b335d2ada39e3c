import { expect, it } from 'vitest'
import { createSandbox } from '../../../../../shared/scripts/sandbox/sandbox.ts'
import { runIn } from '../../../../make/builders/script-runs.ts'

it('lets waiting tenants take turns, however many runs each has', async () => {
  const small = createSandbox({ chains: 1 })
  const ended: number[] = []
  await Promise.all(
    [1, 1, 1, 1, 1, 2].map(async (tenant) => {
      await runIn(small)('return 1', { tenant })
      ended.push(tenant)
    }),
  )
  expect(ended.indexOf(2)).toBeLessThanOrEqual(2)
  await small.close()
})

it('limits the waiting runs of each tenant separately', async () => {
  const small = createSandbox({ chains: 1, maxWaiting: 1 })
  const outcomes = await Promise.all([1, 1, 1, 2].map((tenant) => runIn(small)(`return ${tenant}`, { tenant })))
  expect(outcomes.map(({ status }) => status)).toEqual(['ok', 'ok', 'stopped', 'ok'])
  await small.close()
})
