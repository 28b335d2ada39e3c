import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { frugality } from '../../../../../infra/local/runtime/save-memory.ts'

const moduleFile = join(import.meta.dirname, '../../../../../infra/local/runtime/save-memory.ts')

it('saves memory only while the process is large, and sets the flag only when that changes', () => {
  const set: string[] = []
  let megabytes = 0
  const look = frugality(
    () => megabytes,
    (flag) => void set.push(flag),
  )
  for (megabytes of [500, 501, 900, 500, 100, 501]) look()
  expect(set).toEqual(['--optimize-for-size', '--no-optimize-for-size', '--optimize-for-size'])
})

/** A process that makes 250 MB of garbage, then works with little; answers the megabytes of its own that are left. */
const scriptOf = (isFrugal: boolean): string => `
import { setFlagsFromString } from 'node:v8'
import { setTimeout as sleep } from 'node:timers/promises'
import { frugality, ownMegabytes } from ${JSON.stringify(moduleFile)}
let kept = Array.from({ length: 2_000_000 }, (_, n) => ({ n, next: [n] }))
await sleep(1)
kept = undefined
const look = frugality(() => ${isFrugal ? 1_000 : 0}, setFlagsFromString)
for (let round = 0; round < 150; round += 1) {
  look()
  const garbage = Array.from({ length: 40_000 }, (_, n) => ({ n, next: [n] }))
  if (garbage.length === 0) break
  await sleep(1)
}
console.log(ownMegabytes())
`

it.runIf(process.platform === 'linux')(
  'makes V8 give back what was freed',
  async () => {
    const leftOf = async (isFrugal: boolean): Promise<number> => {
      const { stdout } = await promisify(execFile)(process.execPath, [
        '--input-type=module',
        '--no-warnings',
        '--eval',
        scriptOf(isFrugal),
      ])
      return Number(stdout)
    }
    const [frugal, usual] = await Promise.all([leftOf(true), leftOf(false)])
    expect(frugal).toBeLessThan(usual - 100)
  },
  60_000,
)
