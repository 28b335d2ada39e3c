import { type Quantities, sumOf, times } from './bill.ts'
import { type Mixture, type OperationName, operationsOf, sampleRows } from './customers.ts'
import type { MeasuredService } from './measured-service.ts'
import { quantitiesOf } from './quantities-of.ts'
import { sampleTable } from './sample-table.ts'

/** What one operation uses. */
export interface OperationUse {
  readonly name: OperationName
  readonly total: Quantities
  /** By function id: the function that answers, and those that follow the change. */
  readonly functions: ReadonlyMap<string, Quantities>
}

/** Creates the table and its records. */
export async function fillTable({ send, cloud }: MeasuredService, { records }: Mixture): Promise<void> {
  await send({ method: 'POST', path: '/api/sys/entities', body: sampleTable })
  await send({ method: 'POST', path: `/api/e/${sampleTable.name}/import`, body: { rows: sampleRows(records) } })
  await cloud.idle(60_000)
}

/**
 * Drives every operation of the mixture, one request after the other. The next one waits until the consumers of the
 * last one are done, so batches hold one change each: under load they hold more, and cost less.
 */
export async function measureOperations(service: MeasuredService, mixture: Mixture): Promise<OperationUse[]> {
  const { send, measure, cloud, deployment } = service
  const scheduled = new Set(deployment.schedules.map(({ functionId }) => functionId))
  const found: OperationUse[] = []
  for (const { name, request, count } of operationsOf(mixture)) {
    await send(request(0))
    const measurement = await measure(async () => {
      for (let n = 1; n <= mixture.repeats; n += 1) {
        await send(request(n))
        await cloud.idle(60_000)
      }
    })
    const each = [...quantitiesOf(measurement, deployment)]
      // A sweeper may run meanwhile.
      .filter(([id]) => !scheduled.has(id))
      .map(([id, quantities]) => [id, times(quantities, 1 / (mixture.repeats * count))] as const)
    found.push({ name, functions: new Map(each), total: sumOf(each.map(([, quantities]) => quantities)) })
  }
  return found
}
