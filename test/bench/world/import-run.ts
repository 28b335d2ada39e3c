import { setTimeout as sleep } from 'node:timers/promises'
import { importRows, type WorldApi } from './build-world.ts'
import { requestRecord } from './request-record.ts'
import type { RunningService } from './running-service.ts'
import { addToModel, type World } from './world.ts'

export interface ImportRun {
  readonly rows: number
  readonly answeredPerSecond: number
  /** Including the time until all background work has caught up. */
  readonly drainedPerSecond: number
  readonly cpuMsEach: number | undefined
  readonly peakRssMb: number
  /** How long the history of another change lags behind its answer. */
  readonly lagMs: { readonly worst: number; readonly median: number; readonly probes: number }
}

const rowsPerCall = 5000
/** So many calls at least: their times divide a table into weeks. */
const fewestCalls = 40

/** Fills the table of a world, call after call, each in the name of another person. */
export async function importRecords(service: Pick<WorldApi, 'api'>, world: World): Promise<void> {
  const { records, table, surroundings, firstNumber } = world
  const people = [...world.agents, ...world.desks]
  const size = Math.max(1, Math.min(rowsPerCall, Math.ceil(records / fewestCalls)))
  const callTimes = world.callTimes as string[]
  for (let from = 0, call = 0; from < records; from += size, call += 1) {
    const person = people[call % people.length] as (typeof people)[number]
    callTimes.push(await nextMoment())
    const numbers = Array.from({ length: Math.min(size, records - from) }, (_, index) => firstNumber + from + index)
    const rows = numbers.map((n) => requestRecord(n, surroundings))
    const ids = await importRows(service, table, rows, person.token)
    if (ids[0] !== from + 1) throw new Error('The ids of the measured table have gaps.')
    for (const [index, n] of numbers.entries())
      addToModel(world, ids[index] as number, n, { createdBy: person.id, importCall: call })
  }
  callTimes.push(await nextMoment())
}

/** A moment that lies between what was answered and what is sent next. */
async function nextMoment(): Promise<string> {
  await sleep(2)
  const now = new Date().toISOString()
  await sleep(2)
  return now
}

/** Imports the records of a world and measures it, while a probe creates notes and reads their history. */
export async function runImport(service: RunningService, world: World): Promise<ImportRun> {
  service.takePeakRssMb()
  const before = await service.usage()
  const started = performance.now()
  const probe = probeFeed(service)
  await importRecords(service, world)
  const answered = performance.now()
  const lags = await probe.stop()
  const drained = await service.waitUntilIdle()
  const after = await service.usage()
  const sorted = lags.toSorted((a, b) => a - b)
  const rows = world.records
  return {
    rows,
    answeredPerSecond: (rows / (answered - started)) * 1000,
    drainedPerSecond: (rows / (drained - started)) * 1000,
    cpuMsEach: before && after ? (after.cpuMs - before.cpuMs) / rows : undefined,
    peakRssMb: service.takePeakRssMb(),
    lagMs: { worst: sorted.at(-1) ?? 0, median: sorted[Math.floor(sorted.length / 2)] ?? 0, probes: sorted.length },
  }
}

/** Creates a note twice a second and requests its history at once. The endpoint waits until it is there. */
function probeFeed(service: RunningService) {
  const lags: number[] = []
  let stopped = false
  const done = (async () => {
    for (let n = 0; !stopped; n++) {
      const made = await service.api('POST', '/api/e/notes', { text: `note ${n}` })
      const answered = performance.now()
      const { meta } = await service.api('GET', `/api/sys/history/notes/${made.data.id}`)
      lags.push(meta.pending ? 8000 : performance.now() - answered)
      await sleep(500)
    }
  })()
  return {
    async stop() {
      stopped = true
      await done
      return lags
    },
  }
}
