/**
 * `node test/bench/areas/hooks.ts`: what a hook adds to a warm create (goal: a median of at most 4 ms). Each round sends
 * one request to every table, in changing order. The figure is the median of the differences within the rounds, so
 * other load affects all tables alike.
 */
import { startBenchService } from '../world/running-service.ts'

const rounds = Math.min(5000, Number(process.env['BENCH_ROUNDS'] ?? 400))
const warmUp = 60
const goalMs = 4

const tables = {
  'no hook': [],
  'before_create sets a title': [
    { kind: 'before_create', script: "if (!$data->title) $data->title = 'Request ' + $user->name" },
  ],
  'before_create finds a client': [
    {
      kind: 'before_create',
      script: "$c = $api->find('clients', 'email', 'c1@example.com'); if ($c) $data->client = $c->id",
    },
  ],
  'after_create logs': [{ kind: 'after_create', script: 'console.log($data.n)' }],
  'after_create creates a record': [
    { kind: 'after_create', script: "$api.create('clients', {email: 'x' + $context.id})" },
  ],
} as const
const fields = [
  { name: 'title', type: 'text' },
  { name: 'n', type: 'integer' },
  { name: 'client', type: 'integer' },
]

const service = await startBenchService()
try {
  await service.api('POST', '/api/sys/entities', {
    name: 'clients',
    table_fields: [{ name: 'email', type: 'text', indexed: true }],
  })
  await service.api('POST', '/api/e/clients', { email: 'c1@example.com' })
  for (const [index, automations] of Object.values(tables).entries()) {
    await service.api('POST', '/api/sys/entities', { name: `t${index}`, table_fields: fields, automations })
  }
  const times: number[][] = Object.keys(tables).map(() => [])
  for (let round = 0; round < warmUp + rounds; round++) {
    for (let turn = 0; turn < times.length; turn++) {
      const index = (turn + round) % times.length
      const own = times[index] as number[]
      const start = performance.now()
      await service.api('POST', `/api/e/t${index}`, { n: round })
      if (round >= warmUp) own.push(performance.now() - start)
    }
  }
  const plain = times[0] as number[]
  const rows = Object.keys(tables).map((hook, index) => {
    const own = times[index] as number[]
    const added = own.map((one, round) => one - (plain[round] ?? 0))
    return {
      hook,
      'p50 ms': ms(quantile(own, 0.5)),
      'p95 ms': ms(quantile(own, 0.95)),
      'adds at the median, ms': ms(quantile(added, 0.5)),
    }
  })
  console.table(rows)
  const added = rows[1]?.['adds at the median, ms'] ?? Infinity
  console.log(
    `A hook on create adds ${added} ms at the median (goal ≤ ${goalMs}): ${added <= goalMs ? 'met' : 'NOT met'}`,
  )
  if (added > goalMs) process.exitCode = 1
} finally {
  await service.stop()
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0
}

function ms(value: number): number {
  return Math.round(value * 100) / 100
}
