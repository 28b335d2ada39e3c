import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { chunkIds } from '../../columns/chunk.ts'
import { type Evaluation, type EvaluationDependencies, openEvaluations } from '../evaluate/open-evaluation.ts'
import { selectChunks } from '../evaluate/select.ts'
import type { Query } from '../grammar/parse-query.ts'
import { createCheck } from './check-records.ts'
import { failingRecords } from './remove-doubtful.ts'

/** How many records a query matches, as far as the columns know. */
export async function countRecords(
  services: EvaluationDependencies,
  tenant: Tenant,
  table: Table,
  query: Query,
): Promise<number> {
  const [count] = await countEach(services, tenant, table, [query])
  return count as number
}

/** The same for several queries of one table: its columns are brought in step once. */
export async function countEach(
  services: EvaluationDependencies,
  tenant: Tenant,
  table: Table,
  queries: readonly Query[],
): Promise<readonly number[]> {
  if (queries.length === 0) return []
  const evaluations = await openEvaluations(
    services,
    tenant,
    table,
    queries.map(({ filter, search }) => ({ filter, search, fields: [] })),
  )
  try {
    const counts: number[] = []
    for (const [index, evaluation] of evaluations.entries())
      counts.push(await countOn(services, tenant, table, queries[index] as Query, evaluation))
    return counts
  } finally {
    for (const evaluation of evaluations) evaluation.release()
  }
}

async function countOn(
  services: EvaluationDependencies,
  tenant: Tenant,
  table: Table,
  query: Query,
  evaluation: Evaluation,
): Promise<number> {
  let count = 0
  const doubtful: number[] = []
  for await (const { chunk, count: selected, doubtful: some = [] } of selectChunks(
    evaluation,
    evaluation.leftOut.length > 0,
  )) {
    count += selected
    for (const position of some) doubtful.push(chunk * chunkIds + position)
  }
  if (doubtful.length === 0) return count
  const check = createCheck(services.store, tenant, table, query)
  return count - (await failingRecords(services.store, { tenant, table, check }, evaluation, doubtful)).size
}
