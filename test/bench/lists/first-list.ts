import { startService } from '../../make/services/service.ts'
import { median, passes } from '../measure/measure.ts'
import type { BenchRequest } from '../world/load.ts'
import type { RunningService } from '../world/running-service.ts'
import type { World } from '../world/world.ts'
import { requestOf, type CheckedQuery } from './checked-query.ts'

/** What the first list of a process costs that knows nothing yet. */
export interface FirstList {
  readonly name: string
  readonly ms: number
  /** Calls to AWS. */
  readonly calls: number
}

/** Restarts the service for each first list, and opens its data once more to count the calls. Halts the service. */
export async function measureFirstLists(
  service: RunningService,
  checked: readonly CheckedQuery[],
  world: World,
): Promise<FirstList[]> {
  const wanted = checked.filter(({ query, verdict }) => query.isMeasuredCold && verdict.kind !== 'refused')
  const times = wanted.map((): number[] => [])
  for (let pass = 0; pass < passes; pass += 1) {
    for (const [index, one] of wanted.entries()) {
      await service.restart()
      const { method, path, body, token } = requestOf(one, world)(pass)
      const started = performance.now()
      await service.api(method, path, body, token)
      times[index]?.push(performance.now() - started)
    }
  }
  await service.halt()
  const figures: FirstList[] = []
  for (const [index, one] of wanted.entries()) {
    const calls = await callsOfFirst(service.dataDirectory, requestOf(one, world)(passes))
    figures.push({ name: one.query.name, ms: median(times[index] as number[]), calls })
  }
  return figures
}

async function callsOfFirst(dataDirectory: string, { method, path, body, token }: BenchRequest): Promise<number> {
  const service = await startService({ dataDirectory, seeded: false })
  try {
    service.cloud.recordCalls()
    const answer = await service.api(method, path, { body, ...(token && { token }) })
    if (answer.status !== 200) throw new Error(`the first list answered ${answer.status}`)
    return service.cloud.callsOf(answer.headers.get('apigw-requestid') as string).calls.length
  } finally {
    await service.stop()
  }
}
