/**
 * `npm run bench:neighbour`: how long the creates and lists of a tenant take while another one in the same process does its
 * worst: imports, hooks at their limits, exports, floods of searches, each alone and then all at once. BENCH_SECONDS (20):
 * seconds of each, and three times as many of all together. The idle figure is taken before and after, since the machine
 * may be shared. Goal: at most twice the idle p95.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { noiseNames, rowsFrom, rowsPerCall, type NoiseName, type NoiseOrder } from './neighbour/noise.ts'
import { load, type LoadResult } from './world/load.ts'
import { startBenchService } from './world/running-service.ts'

const goal = 2
const seconds = Math.min(60, Number(process.env['BENCH_SECONDS'] ?? 20))
const password = 'good fences, good neighbours'
const records = 20_000
/** A person and a few screens: the neighbour is no load itself. */
const quietPerSecond = 20

const service = await startBenchService({ APP_MODE: 'saas', REGISTRATION: 'open' })
try {
  const [quiet, noisy] = [await register('quiet'), await register('noisy')]
  await makeTable(quiet, 'notes')
  await fill(quiet, 'notes', 500)
  await makeTable(noisy, 'notes')
  await fill(noisy, 'notes', records)
  await makeTable(noisy, 'slow', [
    { kind: 'before_create', script: "const end = Date.now() + 900; while (Date.now() < end) { $data.text += '' }" },
  ])
  await makeTable(noisy, 'imported')
  await service.waitUntilIdle()

  // The first requests load the functions.
  await measure(2)
  const before = await measure()
  const beside: Record<string, Quiet> = {}
  for (const name of noiseNames) beside[name] = await measureBeside([name], seconds)
  beside['all at once'] = await measureBeside(noiseNames, 3 * seconds)
  const after = await measure()

  const idle = (of: 'create' | 'list') => Math.max(before[of].p95Ms, after[of].p95Ms)
  const rows = Object.entries({ 'idle, before': before, ...beside, 'idle, after': after }).map(([name, figures]) => ({
    beside: name,
    'create p50 ms': round(figures.create.p50Ms),
    'create p95 ms': round(figures.create.p95Ms),
    'create × idle p95': round(figures.create.p95Ms / idle('create')),
    'list p50 ms': round(figures.list.p50Ms),
    'list p95 ms': round(figures.list.p95Ms),
    'list × idle p95': round(figures.list.p95Ms / idle('list')),
    failed: figures.create.failed + figures.list.failed,
    noise: figures.noise?.map(({ requests, failed }) => `${requests - failed}+${failed}`).join(' '),
  }))
  console.table(rows)
  const together = beside['all at once'] as Quiet
  const worst = Math.max(...(['create', 'list'] as const).map((of) => together[of].p95Ms / idle(of)))
  console.log(`All at once, the p95 is ${round(worst)} times the idle one (goal ≤ ${goal}).`)
  if (worst > goal || rows.some(({ failed }) => failed > 0)) process.exitCode = 1

  interface Quiet {
    readonly create: LoadResult
    readonly list: LoadResult
    /** What the other tenant got answered and refused. */
    readonly noise?: readonly LoadResult[]
  }

  async function measure(forSeconds = seconds): Promise<Quiet> {
    const own = { port: service.port, token: quiet }
    const options = { connections: 4, seconds: forSeconds, perSecond: quietPerSecond }
    const [create, list] = await Promise.all([
      load(own, options, (n) => ({ method: 'POST', path: '/api/e/notes', body: { text: `quiet note ${n}` } })),
      load(own, options, () => ({ method: 'GET', path: '/api/e/notes?sort=-id&per_page=25' })),
    ])
    return { create, list }
  }

  async function measureBeside(names: readonly NoiseName[], forSeconds: number): Promise<Quiet> {
    const order: NoiseOrder = { target: { port: service.port, token: noisy }, names, seconds: forSeconds }
    const noisyThread = new Worker(new URL('neighbour/noise.ts', import.meta.url), { workerData: order })
    const ended = once(noisyThread, 'message') as Promise<[LoadResult[]]>
    const figures = await measure(forSeconds)
    const [noise] = await ended
    await service.waitUntilIdle()
    return { ...figures, noise }
  }
} finally {
  await service.stop()
}

async function register(slug: string): Promise<string> {
  const { token } = await service.api('POST', '/api/register', {
    name: slug,
    email: `${slug}@example.com`,
    password,
    password_confirmation: password,
    company_name: slug,
    slug,
  })
  return token
}

async function makeTable(token: string, name: string, automations: readonly object[] = []): Promise<void> {
  const table_fields = [
    { name: 'text', type: 'text', searchable: true },
    { name: 'n', type: 'integer' },
  ]
  await service.api('POST', '/api/sys/entities', { name, table_fields, automations }, token)
}

async function fill(token: string, table: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += rowsPerCall)
    await service.api(
      'POST',
      `/api/e/${table}/import`,
      { rows: rowsFrom(from, Math.min(rowsPerCall, count - from)) },
      token,
    )
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
