import { afterAll, expect, it } from 'vitest'
import { createSandbox } from '../../../../../shared/scripts/sandbox/sandbox.ts'
import { runIn } from '../../../../make/builders/script-runs.ts'
import { runs } from '../../../../make/depth.ts'

const sandbox = createSandbox({ chains: 2 })
const run = runIn(sandbox)
afterAll(() => sandbox.close())

const rssMb = (): number => process.memoryUsage.rss() / (1 << 20)

/** The bench runs 10,000. */
it('does not grow over thousands of runs', { timeout: 240_000 }, async () => {
  const some = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i += 2) {
      const script = `$data.list = Array.from({ length: 100 }, (_, i) => ({ i, n: ${i % 50} })); $api.find('a', 'b', ${i % 50})`
      await Promise.all([run(script), run(script)])
    }
  }
  await some(runs(1000, 300))
  const before = rssMb()
  await some(runs(1000, 300))
  expect(rssMb() - before).toBeLessThan(20)
})
