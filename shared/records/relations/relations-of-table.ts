import { NotFound } from '../../kernel/failures/faults.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { RelationDependencies } from './dependencies.ts'
import { relationOf, sidesOf } from './relation.ts'
import type { Relation } from './schema.ts'

/** The relations of a table, oldest first. */
export async function relationsOf(
  { config }: Pick<RelationDependencies, 'config'>,
  tenant: Tenant,
  table: string,
): Promise<readonly Relation[]> {
  return (await config.list(tenant, 'RELATION', relationOf)).filter((relation) => sidesOf(relation, table).length > 0)
}

/** The relations of a table by its numeric id, newest first. Throws NotFound when there is no such table. */
export async function relationsOfTableId(
  deps: Pick<RelationDependencies, 'config' | 'tables'>,
  tenant: Tenant,
  tableId: number,
): Promise<readonly Relation[]> {
  const table = (await deps.tables.all(tenant)).find(({ id }) => id === tableId)
  if (!table) throw new NotFound('table', { id: tableId })
  return (await relationsOf(deps, tenant, table.name)).toReversed()
}
