/** `npm run bench`: what one process does on this machine, as one table. Figures vary with the machine: compare within one run. */
import { load, type Shot } from './load.ts'
import { startBenchService } from './running-service.ts'

const seconds = Number(process.env['BENCH_SECONDS'] ?? 4)

const table = {
  name: 'requests',
  table_fields: [
    { name: 'title', type: 'text', required: true, searchable: true },
    { name: 'description', type: 'textarea' },
    { name: 'priority', type: 'integer', default: 3 },
    { name: 'status', type: 'state_model', states: [{ slug: 'new', is_initial: true }, { slug: 'open' }], transitions: [{ from: 'new', to: 'open' }] },
    { name: 'due_at', type: 'datetime' },
  ],
}
const record = (n: number) => ({ title: `Request ${n}: the printer on floor ${n % 9} is jammed`, description: 'It shows an error code. '.repeat(8), priority: n % 5 })

const service = await startBenchService()
try {
  await service.api('POST', '/api/sys/entities', table)
  await load(service, { connections: 16, seconds: 10, atMost: 1000 }, (n) => ({ method: 'POST', path: '/api/e/requests', body: record(n) }))
  const shots: Record<string, (n: number) => Shot> = {
    get: (n) => ({ method: 'GET', path: `/api/e/requests/${1 + (n % 1000)}` }),
    'list of 25': () => ({ method: 'GET', path: '/api/e/requests' }),
    create: (n) => ({ method: 'POST', path: '/api/e/requests', body: record(n) }),
    patch: (n) => ({ method: 'PATCH', path: `/api/e/requests/${1 + (n % 1000)}`, body: { description: `changed ${n} ${Date.now()}` } }),
    history: (n) => ({ method: 'GET', path: `/api/sys/history/requests/${1 + (n % 1000)}` }),
  }
  const rows: Record<string, string | number>[] = []
  for (const connections of [1, 16]) {
    for (const [name, shot] of Object.entries(shots)) {
      await load(service, { connections, seconds: 1 }, shot)
      const before = await service.usage()
      const result = await load(service, { connections, seconds }, shot)
      const after = await service.usage()
      rows.push({
        operation: name,
        connections,
        'per second': Math.round(result.perSecond),
        'p50 ms': round(result.p50Ms),
        'p99 ms': round(result.p99Ms),
        'CPU ms each': before && after ? round((after.cpuMs - before.cpuMs) / result.requests) : '',
        'RSS MB': after ? Math.round(after.rssMb) : '',
        failed: result.failed,
      })
    }
  }
  console.table(rows)
  if (rows.some(({ failed }) => failed !== 0)) process.exitCode = 1
} finally {
  await service.stop()
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
