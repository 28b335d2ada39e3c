/**
 * `npm run bench`: measures one process on this machine. Figures vary with the machine, so compare within one run.
 * BENCH_ROWS (100000): final size of the table. BENCH_SECONDS (4): time per figure. BENCH_SAVE=1: saves the run as
 * the baseline for the next ones, also in the README.
 */

import { runImport } from './import-run.ts'
import { load } from './load.ts'
import { measureOperations } from './measure.ts'
import { printFigures } from './report.ts'
import { record, requestsTable } from './requests.ts'
import { previousResults, resultsOf, saveResults } from './results.ts'
import { countRoundTrips } from './round-trips.ts'
import { startBenchService } from './running-service.ts'

const seconds = Math.min(30, Number(process.env['BENCH_SECONDS'] ?? 4))
const rows = Math.min(1_000_000, Number(process.env['BENCH_ROWS'] ?? 100_000))
const smallTable = 1000
const connections = [1, 16]

const roundTrips = await countRoundTrips()
const service = await startBenchService()
try {
  await service.api('POST', '/api/sys/entities', requestsTable)
  await load(service, { connections: 16, seconds: 30, atMost: smallTable }, (n) => ({
    method: 'POST',
    path: '/api/e/requests',
    body: record(n),
  }))
  await service.waitUntilIdle()
  const small = {
    records: smallTable,
    measured: await measureOperations(
      service,
      { records: smallTable, cursor: await cursorAt(100) },
      connections,
      seconds,
    ),
  }
  const imported = await runImport(service, rows, smallTable)
  const large = {
    records: rows,
    measured: await measureOperations(
      service,
      { records: rows, cursor: await cursorAt(Math.floor(rows / 2)) },
      connections,
      seconds,
    ),
  }
  const findings = { small, large, imported }
  const { peakRssMb } = printFigures(findings, roundTrips, await previousResults())
  if (process.env['BENCH_SAVE'] === '1') await saveResults(resultsOf(findings, roundTrips, peakRssMb))
  if ([...small.measured, ...large.measured].some(({ failed }) => failed > 0)) process.exitCode = 1
} finally {
  await service.stop()
}

/** A cursor at about this depth. */
async function cursorAt(depth: number): Promise<string> {
  const { meta } = await service.api('GET', `/api/e/requests?per_page=25&page=${Math.max(1, Math.floor(depth / 25))}`)
  return encodeURIComponent(meta.next_cursor)
}
