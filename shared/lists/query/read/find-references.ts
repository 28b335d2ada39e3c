import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Field } from '../../../tables/tables/schema.ts'
import type { Table } from '../../../tables/tables/service.ts'
import { chunkIds } from '../../columns/service.ts'
import { type EvaluationDependencies, openEvaluation } from '../evaluate/open-evaluation.ts'
import { selectChunks } from '../evaluate/select.ts'
import { customField } from '../grammar/field.ts'

/**
 * The ids of records of a table that refer to record `id` through a field, at most `limit`, as far as the columns know:
 * as fresh as a list is.
 */
export async function findReferences(
  services: EvaluationDependencies,
  tenant: Tenant,
  table: Table,
  field: Field,
  id: number,
  limit: number,
): Promise<number[]> {
  const evaluation = await openEvaluation(services, tenant, table, {
    filter: { kind: 'test', field: customField(field), predicate: { op: 'equals', value: id } },
    fields: [],
  })
  try {
    const found: number[] = []
    for await (const { chunk, positions } of selectChunks(evaluation)) {
      for (const position of positions().subarray(0, limit - found.length)) found.push(chunk * chunkIds + position)
      if (found.length === limit) break
    }
    return found
  } finally {
    evaluation.release()
  }
}
