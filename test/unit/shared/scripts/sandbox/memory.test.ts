import { afterAll, expect, it } from 'vitest'
import { createSandbox } from '../../../../../shared/scripts/sandbox/sandbox.ts'
import { runIn } from '../../../../make/builders/script-runs.ts'

const sandbox = createSandbox({ chains: 2 })
const run = runIn(sandbox)
afterAll(() => sandbox.close())

const rssMb = (): number => process.memoryUsage.rss() / (1 << 20)

/** The bench runs 10,000. */
it('does not grow over 2,000 runs', { timeout: 120_000 }, async () => {
  const some = async (runs: number): Promise<void> => {
    for (let i = 0; i < runs; i += 2) {
      const script = `$data.list = Array.from({ length: 100 }, (_, i) => ({ i, n: ${i % 50} })); $api.find('a', 'b', ${i % 50})`
      await Promise.all([run(script), run(script)])
    }
  }
  await some(1000)
  const before = rssMb()
  await some(1000)
  expect(rssMb() - before).toBeLessThan(20)
})
