import type { Tenant } from '../../../kernel/tenancy.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { readSequence } from '../../../platform/store/sequence/sequence.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Field } from '../../../tables/tables/schema.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { chunkIds, chunkOf, positionOf } from '../../columns/chunk.ts'
import type { ColumnView } from '../../columns/reader/view.ts'
import { type EvaluationDependencies, openEvaluation } from '../evaluate/open-evaluation.ts'
import { selectChunks } from '../evaluate/select.ts'
import { customField } from '../grammar/field.ts'

/**
 * The newest ids of a table, whose records are read when the columns do not know them yet. Few, because those that an import
 * reserved ahead have no records.
 */
const newestIds = 20

/**
 * The ids of records of a table that refer to record `id` through a field, at most `limit`, as far as the columns know:
 * as fresh as a list is, and with the records that were created just before.
 */
export async function findReferences(
  services: EvaluationDependencies,
  tenant: Tenant,
  table: Table,
  field: Field,
  id: number,
  limit: number,
): Promise<number[]> {
  const sequence = readSequence(services.store, tenant, table.name)
  // Thrown where it is awaited, also when the columns cannot be opened.
  sequence.catch(() => undefined)
  const evaluation = await openEvaluation(services, tenant, table, {
    filter: { kind: 'test', field: customField(field), predicate: { op: 'equals', value: id } },
    fields: [],
  })
  try {
    await noteNewest(services.store, tenant, table, evaluation.view, (await sequence).last)
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

/** Has the columns take note of the newest records that the index of changes does not tell of yet. */
async function noteNewest(
  store: Pick<Store, 'getMany'>,
  tenant: Tenant,
  { name }: Table,
  view: ColumnView,
  last: number,
): Promise<void> {
  const count = Math.min(newestIds, last)
  const newest = Array.from({ length: count }, (_, index) => last - count + 1 + index)
  const unknown = newest.filter((id) => !view.stamps(chunkOf(id))?.[positionOf(id)])
  if (unknown.length === 0) return
  const items = await store.getMany(
    tenant,
    unknown.map((id) => recordKey(tenant, name, id)),
  )
  view.note(items, unknown)
}
