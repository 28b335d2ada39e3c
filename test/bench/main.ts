/**
 * `npm run bench`: measures one process on this machine. Figures vary with the machine, so compare within one run.
 * BENCH_RECORDS (100000): size of the table. BENCH_SECONDS (3): time per figure. BENCH_SAVE=1: saves the run as the
 * baseline for the next ones, also in docs/benchmarks.md.
 */

import { failedRequests, wrongAnswers, type Findings } from './findings.ts'
import { checkQueries } from './lists/checked-query.ts'
import { measureFirstLists } from './lists/first-list.ts'
import { listQueries } from './lists/list-queries.ts'
import { measureFairness } from './measure/measure-fairness.ts'
import { measureLists } from './measure/measure-lists.ts'
import { measureOperations } from './measure/measure-operations.ts'
import { measureTenants } from './measure/measure-tenants.ts'
import { passes } from './measure/measure.ts'
import { printFigures } from './report.ts'
import { previousResults, resultsOf, saveResults } from './results.ts'
import { countRoundTrips } from './round-trips.ts'
import { buildWorld } from './world/build-world.ts'
import { importRecords, runImport } from './world/import-run.ts'
import { type HighestMemory, startBenchService } from './world/running-service.ts'

const seconds = Math.min(30, Number(process.env['BENCH_SECONDS'] ?? 3)) / passes
const records = Math.min(1_000_000, Number(process.env['BENCH_RECORDS'] ?? 100_000))
const smallTable = 1000
/** Of each of ten tenants, whose tables are not made again for the run with the largest table. */
const tenantRecords = records > 200_000 ? 0 : Math.min(20_000, Math.floor(records / 5))
const began = performance.now()

/** Says what is in flight: a run takes minutes. */
async function stage<T>(name: string, work: Promise<T> | (() => Promise<T>)): Promise<T> {
  const started = performance.now()
  const result = await (typeof work === 'function' ? work() : work)
  console.log(`${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`)
  return result
}

const roundTrips = await stage('round trips', countRoundTrips(listQueries))
const small = await stage('operations on a small table', async () => {
  const service = await startBenchService()
  try {
    const world = await buildWorld(service, { table: 'requests', records: smallTable, people: 1 })
    await importRecords(service, world)
    await service.waitUntilIdle()
    return { records: smallTable, measured: await measureOperations(service, world, [16], seconds) }
  } finally {
    await service.stop()
  }
})
const tenants =
  tenantRecords > 0 ? await stage('ten tenants', measureTenants(listQueries, tenantRecords, seconds)) : undefined
const service = await startBenchService()
try {
  const world = await stage('tables and people', buildWorld(service, { table: 'requests', records, people: 4 }))
  const imported = await stage('import', runImport(service, world))
  const checked = await stage('answers compared', checkQueries(service, listQueries, world))
  const lists = await stage('lists', measureLists(service, checked, world, seconds))
  const fairness = await stage('heavy lists at once', measureFairness(service, checked, world, seconds))
  const large = await stage('operations', measureOperations(service, world, [1, 16], seconds))
  await service.waitUntilIdle()
  const after = await stage('answers compared again', checkQueries(service, listQueries, world))
  const wrongAfterWrites = after.flatMap(({ verdict }) => (verdict.kind === 'wrong' ? [verdict.message] : []))
  const firstLists = await stage('first lists', measureFirstLists(service, after, world))
  const findings: Findings = {
    records,
    imported,
    lists,
    fairness,
    large,
    small,
    wrongAfterWrites,
    firstLists,
    tenants,
    roundTrips,
    memory: greater(service.highestMemory(), tenants?.highestMemory),
  }
  printFigures(findings, await previousResults())
  if (process.env['BENCH_SAVE'] === '1') await saveResults(resultsOf(findings))
  if (failedRequests(findings) > 0 || wrongAnswers(findings).length > 0) process.exitCode = 1
} finally {
  await service.stop()
  console.log(`The whole run took ${((performance.now() - began) / 60_000).toFixed(1)} minutes.`)
}

function greater(one: HighestMemory, other: HighestMemory = one): HighestMemory {
  return { rssMb: Math.max(one.rssMb, other.rssMb), ownMb: Math.max(one.ownMb, other.ownMb) }
}
