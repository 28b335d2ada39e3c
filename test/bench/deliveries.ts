/**
 * `npm run bench:deliveries`: sends webhooks from one process to receivers on this machine. BENCH_WEBHOOKS (10000): how
 * many, 5 % of whose first attempts fail. Then measures how long one receiver waits for its messages beside nine times as
 * many to a receiver that is slow and one that is dead.
 */
import { measureNoise } from './deliveries/measure-noise.ts'
import { measureThroughput } from './deliveries/measure-throughput.ts'
import { startBenchService } from './world/running-service.ts'

const count = Math.min(100_000, Number(process.env['BENCH_WEBHOOKS'] ?? 10_000))
const service = await startBenchService()
try {
  const throughput = await measureThroughput(service, count)
  const noise = await measureNoise(service)
  const { highestMemory } = service
  console.table({
    'webhooks asked for, per second': { measured: Math.round(throughput.askedPerSecond) },
    'webhooks ended, per second, from the first request to the last': {
      measured: Math.round(throughput.perSecond),
      goal: '≥ 150',
    },
    'delivered · failed · doubled · lost': {
      measured: `${throughput.delivered} · ${throughput.failed} · ${throughput.doubled} · ${throughput.lost}`,
      goal: `${count} · 0 · 0 · 0`,
    },
    'CPU of a webhook, ms': { measured: throughput.cpuMsEach.toFixed(2) },
    'from asking to arrival when idle, p95 ms': { measured: Math.round(noise.idleP95Ms) },
    'beside a slow and a dead receiver, p95 ms': {
      measured: Math.round(noise.noisyP95Ms),
      goal: `≤ ${Math.round(2 * noise.idleP95Ms)}`,
    },
    'memory without mapped files, MB': { measured: Math.round(highestMemory().ownMb) },
  })
  const { lost, doubled, failed } = throughput
  if (lost + doubled + failed > 0) process.exitCode = 1
} finally {
  await service.stop()
}
