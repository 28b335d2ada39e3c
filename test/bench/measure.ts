import { load, type LoadResult } from './load.ts'
import { operations, type Operation } from './requests.ts'
import type { RunningService } from './running-service.ts'

export interface Measured extends LoadResult {
  readonly operation: Operation
  readonly connections: number
  readonly cpuMsEach: number | undefined
  readonly peakRssMb: number
}

/** Every operation at every number of connections, each for so long after a short run-up. */
export async function measureOperations(service: RunningService, known: { records: number; cursor: string }, connections: readonly number[], seconds: number): Promise<Measured[]> {
  const measured: Measured[] = []
  for (const operation of operations) {
    for (const count of connections) {
      const shot = (n: number) => operation.shot(n, known)
      await load(service, { connections: count, seconds: Math.min(1, seconds / 3) }, shot)
      await service.settled()
      service.takePeakRssMb()
      const before = await service.usage()
      const result = await load(service, { connections: count, seconds }, shot)
      // What a write costs after its answer is part of its price.
      if (operation.shot(0, known).method !== 'GET') await service.settled()
      const after = await service.usage()
      measured.push({ ...result, operation, connections: count, cpuMsEach: before && after ? (after.cpuMs - before.cpuMs) / result.requests : undefined, peakRssMb: service.takePeakRssMb() })
    }
  }
  return measured
}
