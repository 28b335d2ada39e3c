/**
 * `npm run bench:neighbour`: how long the creates and lists of a tenant take while another one in the same process does its
 * worst: imports, hooks at their limits, exports, floods of searches, each alone and then all at once. BENCH_SECONDS (10):
 * seconds of each, and six times as many of all together. The idle figure is taken before and after, since the machine
 * may be shared. Goal: at most twice the idle p95.
 */
import { load, type BenchRequest, type LoadResult } from './load.ts'
import { startBenchService } from './running-service.ts'

const goal = 2
const seconds = Math.min(60, Number(process.env['BENCH_SECONDS'] ?? 10))
const password = 'good fences, good neighbours'
const records = 20_000
const rowsPerCall = 5000
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

  const noises: Readonly<Record<string, readonly Noise[]>> = {
    imports: [{ connections: 2, requestAt: importAt }],
    'hooks at their limits': [
      { connections: 20, requestAt: () => ({ method: 'POST', path: '/api/e/slow', body: { text: 'x' } }) },
    ],
    exports: [{ connections: 4, requestAt: () => ({ method: 'GET', path: '/api/e/notes/export?format=csv' }) }],
    'floods of searches': [{ connections: 16, requestAt: searchAt }],
  }
  // The first requests load the functions.
  await measure(2)
  const before = await measure()
  const beside: Record<string, Quiet> = {}
  for (const [name, some] of Object.entries(noises)) beside[name] = await measureBeside(some, seconds)
  beside['all at once'] = await measureBeside(Object.values(noises).flat(), 6 * seconds)
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

  async function measureBeside(some: readonly Noise[], forSeconds: number): Promise<Quiet> {
    const loads = some.map(({ connections, requestAt }) =>
      load({ port: service.port, token: noisy }, { connections, seconds: forSeconds }, requestAt),
    )
    const figures = await measure(forSeconds)
    const noise = await Promise.all(loads)
    await service.waitUntilIdle()
    return { ...figures, noise }
  }
} finally {
  await service.stop()
}

interface Noise {
  readonly connections: number
  readonly requestAt: (n: number) => BenchRequest
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

function rowsFrom(from: number, count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({ text: textOf(from + index), n: from + index }))
}

function textOf(n: number): string {
  return `printer ${n % 97} on floor ${n % 13} shows error ${(n * 7919) % 1009}`
}

function importAt(n: number): BenchRequest {
  return { method: 'POST', path: '/api/e/imported/import', body: { rows: rowsFrom(n * rowsPerCall, rowsPerCall) } }
}

function searchAt(n: number): BenchRequest {
  return n % 2 === 0
    ? { method: 'GET', path: `/api/e/notes?search=error ${n % 1009}&sort=-n&per_page=1000`.replaceAll(' ', '%20') }
    : { method: 'GET', path: `/api/e/notes?search=pri&sort=text&page=${1 + (n % 15)}&per_page=1000` }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
