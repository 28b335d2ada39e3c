import { record } from './requests.ts'
import type { RunningService } from './running-service.ts'

export interface ImportRun {
  readonly rows: number
  readonly answeredPerSecond: number
  /** Including the time until audit, search and counters have caught up. */
  readonly drainedPerSecond: number
  readonly cpuMsEach: number | undefined
  readonly peakRssMb: number
  /** How long the history of another change lags behind its answer. */
  readonly lagMs: { readonly worst: number; readonly median: number; readonly probes: number }
}

const rowsPerCall = 5000

/** Imports `rows` rows, call after call, while a probe creates records and reads their history. */
export async function runImport(service: RunningService, rows: number, first: number): Promise<ImportRun> {
  service.takePeakRssMb()
  const before = await service.usage()
  const started = performance.now()
  const probe = probeFeed(service)
  for (let from = 0; from < rows; from += rowsPerCall) {
    const count = Math.min(rowsPerCall, rows - from)
    const batch = Array.from({ length: count }, (_, index) => record(first + from + index))
    const { data } = await service.api('POST', '/api/e/requests/import', { rows: batch })
    if (data.job_id !== undefined) await finished(service, data.job_id)
    else if (data.failed > 0) throw new Error(`an import refused rows: ${JSON.stringify(data.errors[0])}`)
  }
  const answered = performance.now()
  const lags = await probe.stop()
  const drained = await service.waitUntilIdle()
  const after = await service.usage()
  const sorted = lags.toSorted((a, b) => a - b)
  return {
    rows,
    answeredPerSecond: (rows / (answered - started)) * 1000,
    drainedPerSecond: (rows / (drained - started)) * 1000,
    cpuMsEach: before && after ? (after.cpuMs - before.cpuMs) / rows : undefined,
    peakRssMb: service.takePeakRssMb(),
    lagMs: { worst: sorted.at(-1) ?? 0, median: sorted[Math.floor(sorted.length / 2)] ?? 0, probes: sorted.length },
  }
}

async function finished(service: RunningService, jobId: number): Promise<void> {
  for (;;) {
    const { data } = await service.api('GET', `/api/sys/jobs/${jobId}`)
    if (data.status === 'done') return
    if (data.status === 'failed') throw new Error(`the job of an import failed: ${JSON.stringify(data.errors[0])}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** Creates a record twice a second and requests its history at once. The endpoint waits until it is there. */
function probeFeed(service: RunningService) {
  const lags: number[] = []
  let stopped = false
  const done = (async () => {
    for (let n = 0; !stopped; n++) {
      const made = await service.api('POST', '/api/e/requests', record(n))
      const answered = performance.now()
      const { meta } = await service.api('GET', `/api/sys/history/requests/${made.data.id}`)
      lags.push(meta.pending ? 8000 : performance.now() - answered)
      await new Promise((resolve) => setTimeout(resolve, 500))
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
