/**
 * `node test/bench/timers.ts [count]`: as many process instances (10,000) wait at a timer that becomes due for all of them at
 * once. Measures how long after that moment each has fired, from the sweep to the advanced instance, in one process with
 * its data on disk. Exits with 1 when one is missing after two minutes.
 */
import { bpmn, end, inARow, start, timer } from '../make/builders/processes/processes.ts'
import { startBenchService } from './world/running-service.ts'

const count = Number(process.argv[2] ?? 10_000)
const rowsPerImport = 1_000
const boundMs = 120_000
/** What evaluating and starting an instance takes at most, so that all of them wait before the timer is due. */
const prepareMsEach = Number(process.env['BENCH_PREPARE_MS'] ?? 40)
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const service = await startBenchService()
try {
  const countOf = async (status: string): Promise<number> =>
    (await service.api('GET', `/api/sys/process-instances?status=${status}&per_page=1`)).meta.total
  const dueMs = Date.now() + 30_000 + count * prepareMsEach
  const wait = `<intermediateCatchEvent id="wait">${timer('timeDate', new Date(dueMs).toISOString())}</intermediateCatchEvent>`
  await service.api('POST', '/api/sys/entities', { name: 'things', table_fields: [{ name: 'title', type: 'text' }] })
  await service.api('POST', '/api/sys/process-templates', {
    code: 'wait',
    name: 'wait',
    table: 'things',
    is_auto_start: true,
    bpmn_xml: bpmn(inARow(start, wait, end)),
  })
  for (let made = 0; made < count; made += rowsPerImport) {
    const rows = Array.from({ length: Math.min(rowsPerImport, count - made) }, (_, at) => ({ title: `${made + at}` }))
    await service.api('POST', '/api/e/things/import', { rows })
  }
  const begun = Date.now()
  while ((await countOf('running')) < count) {
    if (Date.now() > dueMs)
      throw new Error(`only ${await countOf('running')} waited when the timer was due; set BENCH_PREPARE_MS`)
    await sleep(1_000)
  }
  console.log(`${count} instances wait, ${Math.round((Date.now() - begun) / 1000)} s after their import`)
  await sleep(Math.max(0, dueMs - Date.now()))
  const before = await service.usage()
  const shares = [0.5, 0.95, 1]
  const seconds: number[] = []
  for (let fired = 0; fired < count && Date.now() < dueMs + 3 * boundMs;) {
    await sleep(500)
    fired = await countOf('completed')
    for (const [at, share] of shares.entries()) if (fired >= share * count) seconds[at] ??= (Date.now() - dueMs) / 1000
  }
  await service.waitUntilIdle()
  const cpuMs = ((await service.usage())?.cpuMs ?? 0) - (before?.cpuMs ?? 0)
  const [half, most, all] = seconds
  console.table({
    'timers due at once': { measured: count },
    'half have fired after, s': { measured: half },
    '95 % have fired after, s': { measured: most },
    'all have fired after, s': { measured: all ?? 'never', goal: `≤ ${boundMs / 1000}` },
    'CPU of a timer, ms': { measured: (cpuMs / count).toFixed(1) },
    'memory without mapped files, MB': { measured: Math.round(service.highestMemory().ownMb) },
  })
  if (all === undefined || all * 1000 > boundMs) process.exitCode = 1
} finally {
  await service.stop()
}
