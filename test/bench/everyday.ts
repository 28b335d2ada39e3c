import { rowsFrom, rowsPerCall } from './neighbour/noise.ts'
/**
 * `node test/bench/everyday.ts [records]`: what people do every day on a table of 100,000 records, in one process with its
 * data on disk: the counts of 20 views, a search over ten tables, a bulk change of 10,000 with its undo, and creates beside
 * it. CPU is of the whole process.
 */
import { startBenchService, type RunningService } from './world/running-service.ts'

const records = Number(process.argv[2] ?? 100_000)
/** The other tables of the search are this much smaller, so that the bench ends within minutes. */
const otherRecords = records / 10
const tables = Array.from({ length: 10 }, (_, index) => `notes${index}`)
const rounds = 20
const batchSize = Math.min(10_000, records)
const betweenCreatesMs = 50

const service = await startBenchService({ TenantRequestsPerSecond: '0' })
try {
  for (const [index, name] of tables.entries()) {
    await service.api('POST', '/api/sys/entities', {
      name,
      table_fields: [
        { name: 'text', type: 'text', searchable: true },
        { name: 'n', type: 'integer' },
        { name: 'mark', type: 'text' },
      ],
    })
    const count = index === 0 ? records : otherRecords
    for (let from = 0; from < count; from += rowsPerCall)
      await service.api('POST', `/api/e/${name}/import`, { rows: rowsFrom(from, Math.min(rowsPerCall, count - from)) })
  }
  await service.waitUntilIdle()
  const [first = ''] = tables
  for (let view = 0; view < 20; view += 1)
    await service.api('POST', '/api/sys/views', {
      model: first,
      name: `View ${view}`,
      filter: { n: { _gte: view * 1000 }, text: { _contains: `floor ${view % 13}` } },
    })
  const rows = [
    await cpuOf('counts of 20 views', 25, () => service.api('GET', `/api/sys/views/counts?model=${first}`)),
    await cpuOf('search over ten tables', 30, (round) =>
      service.api('GET', `/api/search?q=${encodeURIComponent(`printer error ${(round * 7919) % 1009}`)}`),
    ),
  ]
  console.table(rows)
  const idle = await createsWhile(() => new Promise((resolve) => setTimeout(resolve, 10_000)))
  let batch = 0
  const beside = await createsWhile(async () => {
    const body = { filter: { n: { _lt: batchSize } }, set: { mark: 'seen' }, expect: batchSize }
    batch = await ended(service, await service.api('POST', `/api/e/${first}/bulk`, body))
  })
  const undoing = await createsWhile(async () => {
    await ended(service, await service.api('POST', `/api/sys/batches/${batch}/undo`))
  })
  console.table(
    [idle, beside, undoing].map(({ seconds, p95 }, index) => ({
      beside: ['nothing', `a bulk change of ${batchSize}`, 'its undo'][index],
      seconds: Math.round(seconds),
      'records a second': index === 0 ? '' : Math.round(batchSize / seconds),
      'create p95, ms': p95,
    })),
  )
} finally {
  await service.stop()
}

async function cpuOf(name: string, goal: number, ask: (round: number) => Promise<unknown>) {
  for (let round = 0; round < 5; round += 1) await ask(round)
  const before = await service.usage()
  for (let round = 0; round < rounds; round += 1) await ask(round + 5)
  const after = await service.usage()
  const cpuMs = ((after?.cpuMs ?? NaN) - (before?.cpuMs ?? NaN)) / rounds
  return { name, 'CPU, ms': Math.round(cpuMs * 10) / 10, goal }
}

/** Creates records of another table, one after the other, while something else goes on. */
async function createsWhile(work: () => Promise<unknown>): Promise<{ readonly seconds: number; readonly p95: number }> {
  const times: number[] = []
  let isOver = false
  const beganAt = performance.now()
  const creating = (async () => {
    while (!isOver) {
      const at = performance.now()
      await service.api('POST', `/api/e/${tables[9]}`, { text: 'beside', n: 0 })
      times.push(performance.now() - at)
      await new Promise((resolve) => setTimeout(resolve, betweenCreatesMs))
    }
  })()
  await work()
  const seconds = (performance.now() - beganAt) / 1000
  isOver = true
  await creating
  times.sort((a, b) => a - b)
  return { seconds, p95: Math.round(times[Math.floor(times.length * 0.95)] ?? NaN) }
}

/** Waits for a batch, which is answered at once or continued by a job. Answers its id. */
async function ended({ api }: RunningService, { data }: any): Promise<number> {
  if (data.job_id === undefined) return data.batch_id
  for (;;) {
    const job = (await api('GET', `/api/sys/jobs/${data.job_id}`)).data
    if (job.status === 'done') return data.batch_id ?? job.result.batch_id
    if (job.status === 'failed') throw new Error(JSON.stringify(job))
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
