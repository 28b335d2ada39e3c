import { NotFound } from '../../kernel/failures/faults.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { relationObjects } from './administer-relations.ts'
import type { RelationDependencies } from './dependencies.ts'
import { type Relation, relationOf, sidesOf } from './relation.ts'
import type { RelationAnswer } from './schema.ts'

/** The relations of a table, oldest first. */
export async function relationsOf(
  { config }: Pick<RelationDependencies, 'config'>,
  tenant: Tenant,
  table: string,
): Promise<readonly Relation[]> {
  return (await config.list(tenant, 'RELATION', relationOf)).filter((relation) => sidesOf(relation, table).length > 0)
}

/** The relations of a table by its numeric id or its name, newest first. Throws NotFound when there is no such table. */
export async function relationsOfTable(
  relations: Pick<RelationDependencies, 'config' | 'tables'>,
  tenant: Tenant,
  idOrName: string,
): Promise<readonly RelationAnswer[]> {
  // No name of a table begins with a digit.
  const table = (await relations.tables.all(tenant)).find(
    ({ id, name }) => String(id) === idOrName || name === idOrName,
  )
  if (!table) throw new NotFound('table', { table: idOrName })
  return (await relationsOf(relations, tenant, table.name))
    .toReversed()
    .map((relation) => relationObjects.describe(relation, null))
}
