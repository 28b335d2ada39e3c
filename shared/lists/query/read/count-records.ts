import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Table } from '../../../tables/tables/service.ts'
import { chunkIds } from '../../columns/service.ts'
import { type EvaluationDependencies, openEvaluation } from '../evaluate/open-evaluation.ts'
import { selectChunks } from '../evaluate/select.ts'
import type { Query } from '../grammar/parse-query.ts'
import { createCheck } from './check-records.ts'
import { failingRecords } from './remove-doubtful.ts'

/** How many records a query matches, as far as the columns know. */
export async function countRecords(
  deps: EvaluationDependencies,
  tenant: Tenant,
  table: Table,
  query: Query,
): Promise<number> {
  const { filter, search } = query
  const evaluation = await openEvaluation(deps, tenant, table, { filter, search, fields: [] })
  try {
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
    const check = createCheck(deps.store, tenant, query)
    return count - (await failingRecords(deps.store, { tenant, table, check }, evaluation, doubtful)).size
  } finally {
    evaluation.release()
  }
}
