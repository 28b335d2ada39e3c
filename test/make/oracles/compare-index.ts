import type { TenantRef } from '../../../shared/kernel/tenancy.ts'
import { indexContent } from '../../../shared/search/index-content.ts'
import { counterKey, counterSort, postingKey } from '../../../shared/store/keys/search.ts'
import { countedFields } from '../../../shared/tables/indexes/counted-fields.ts'
import type { Table } from '../../../shared/tables/table.ts'
import type { SingleTable } from '../services/single-table.ts'

type Data = Readonly<Record<string, unknown>>

/**
 * `held`: postings and counters that the index of a table holds. `wanted`: those it must hold for these records, by id;
 * both by the text of their keys.
 */
export async function compareIndex(
  { itemsOf }: Pick<SingleTable, 'itemsOf'>,
  tenant: TenantRef,
  table: Table,
  records: ReadonlyMap<number, Data>,
) {
  const { name } = table
  const { generation } = table.search_index
  const postings: Record<string, number> = {}
  const counters: Record<string, number> = {}
  for (const [id, data] of records) {
    for (const [token, weight] of indexContent(table, data).tokens)
      postings[keyText(postingKey(tenant, name, generation, token, id))] = weight
    for (const field of countedFields(table)) {
      const key = keyText(counterKey(tenant, name, field, generation, counterSort(data[field])))
      counters[key] = (counters[key] ?? 0) + 1
    }
  }
  const held = {
    postings: Object.fromEntries((await itemsOf(`T#${tenant.id}#S#${name}#`)).map((item) => [keyText(item), item.w])),
    counters: Object.fromEntries(
      (await itemsOf(`T#${tenant.id}#N#${name}#`)).filter(({ n }) => n !== 0).map((item) => [keyText(item), item.n]),
    ),
  }
  return { held, wanted: { postings, counters } }
}

const keyText = ({ pk, sk }: { pk: string; sk: string }): string => `${pk} ${sk}`
