import { expect, it } from 'vitest'
import { createSandbox } from '../../../../../shared/scripts/sandbox/sandbox.ts'
import { runIn } from '../../../../make/builders/script-runs.ts'

it('lets tenants take turns, whoever has more waiting', async () => {
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

it('has room in line for a tenant when another has filled its own', async () => {
  const small = createSandbox({ chains: 1, maxWaiting: 1 })
  const outcomes = await Promise.all([1, 1, 1, 2].map((tenant) => runIn(small)(`return ${tenant}`, { tenant })))
  expect(outcomes.map(({ status }) => status)).toEqual(['ok', 'ok', 'stopped', 'ok'])
  await small.close()
})
