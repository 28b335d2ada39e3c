/**
 * The cost of the sandbox, at the limits of the contract. `node test/bench/areas/scripts.ts [runs]` exits with 1 when a
 * bound is missed.
 */
import { createSandbox } from '../../../shared/scripts/sandbox/sandbox.ts'
import { ScriptSyntaxError } from '../../../shared/scripts/source/check-source.ts'
import { runIn } from '../../make/builders/script-runs.ts'
import { hostileScripts } from '../../unit/shared/scripts/sandbox/hostile-scripts.ts'

const runs = Number(process.argv[2] ?? 10_000)
const sandbox = createSandbox()
const run = runIn(sandbox)
const missed: string[] = []

function report(what: string, value: number, unit: string, bound = Infinity): void {
  console.log(
    `${what.padEnd(60)}${value.toFixed(2).padStart(10)} ${unit}${bound === Infinity ? '' : `  (bound ${bound})`}`,
  )
  if (value > bound) missed.push(what)
}

async function timeOf(action: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await action()
  return performance.now() - startedAt
}

const percentile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

report('first run, cold', await timeOf(() => run('')), 'ms')

async function measure(what: string, script: string, betweenMs: number, bound?: number): Promise<void> {
  const times: number[] = []
  for (let i = 0; i < 300; i++) {
    times.push(await timeOf(() => run(script)))
    if (betweenMs > 0) await pause(betweenMs)
  }
  report(`${what}, median`, percentile(times, 0.5), 'ms', bound)
  report(`${what}, 95 of 100`, percentile(times, 0.95), 'ms')
}
await measure('empty script, warm', '', 10, 4)
await measure('empty script, back to back', '', 0)
await measure('ten calls, warm', 'for (let i = 0; i < 10; i++) $api.find("a", "b", i)', 10)

const rssMb = (): number => process.memoryUsage.rss() / (1 << 20)
let rssAfterWarmingUp = 0
const busyMs = await timeOf(async () => {
  for (let i = 0; i < runs; i++) {
    if (i === Math.min(1000, runs / 2)) rssAfterWarmingUp = rssMb()
    await run(
      `$data.list = Array.from({ length: 1000 }, (_, i) => ({ i, text: 'x'.repeat(${i % 50}) })); $api.find('a', 'b', ${i % 100})`,
    )
  }
})
report('runs in a row', runs / (busyMs / 1000), 'per second')
report(`memory gained by ${runs} runs after the first 1,000`, rssMb() - rssAfterWarmingUp, 'MB', 20)

let slowest = { name: '', ms: 0 }
for (const { name, script } of hostileScripts) {
  await run('')
  const ms = await timeOf(() =>
    run(script).catch((cause) => {
      if (!(cause instanceof ScriptSyntaxError)) throw cause
    }),
  )
  if (ms > slowest.ms) slowest = { name, ms }
}
report(`slowest of ${hostileScripts.length} hostile scripts: ${slowest.name}`, slowest.ms, 'ms', 1500)

await sandbox.close()
if (missed.length > 0) {
  console.error(`Missed: ${missed.join('; ')}`)
  process.exitCode = 1
}
