import type { RowAccess } from '../../accounts/access/row-access.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { PageQuery } from '../../platform/http/paging/page-query.ts'
import type { Page } from '../../platform/http/routing/envelope.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { relationObjects } from './administer-relations.ts'
import type { RelationDependencies } from './dependencies.ts'
import { addLinks } from './links/add-links.ts'
import { type FindRecords, listRelated } from './links/list-related.ts'
import { unlink } from './links/unlink.ts'
import { otherSide, requirePermission, sideAt, sideOfTable, tableAt } from './relation.ts'
import { relationsOfTable } from './relations-of-table.ts'
import type { LinkResult, TablePosition } from './schema.ts'

/** A record, and its side of a relation. */
export interface InRelation {
  readonly relationId: number
  readonly position: TablePosition
  readonly id: number
}

/** The links of many-to-many relations between records. */
export function createRelations<R extends { readonly id: number }>(
  relations: RelationDependencies & {
    /** Which records the row rules permit. */
    readonly access: RowAccess
    readonly findRecords: FindRecords<R>
  },
) {
  /**
   * The records linked to `id` of `table`. Links are not fields: they raise no version and make no history entry. The
   * route checks the permission on `table`; read on the far table is checked here.
   */
  async function related(
    caller: Caller,
    {
      relationId,
      table,
      id,
      position,
      preloaded,
    }: { relationId: number; table: string; id: number; position?: TablePosition; preloaded?: Item | null },
    query: PageQuery,
  ): Promise<Page<R>> {
    const relation = await relationObjects.find(relations, caller.tenant, relationId)
    const side = sideOfTable(relation, table, position)
    requirePermission(caller, tableAt(relation, otherSide(side)), 'read')
    return listRelated(
      relations.store,
      caller,
      { relation, side, id, preloaded },
      query,
      relations.findRecords,
      relations.access,
    )
  }

  /** `position` is the side of `id`; `ids` are on the other side. */
  async function add(
    caller: Caller,
    { relationId, position, id }: InRelation,
    ids: readonly number[],
  ): Promise<LinkResult> {
    const relation = await requireChangePermission(caller, relationId, position)
    return addLinks(relations, caller, relation, sideAt(position), id, ids)
  }

  /** `position` is the side of `ids`; `id` is on the other side. */
  async function remove(
    caller: Caller,
    { relationId, position, id }: InRelation,
    ids: readonly number[] | undefined,
  ): Promise<{ removed: number }> {
    const relation = await requireChangePermission(caller, relationId, position)
    return { removed: await unlink(relations, caller, relation, sideAt(position), id, ids) }
  }

  /** Links belong to the near record: they need update on its table and read on the far one. */
  async function requireChangePermission(caller: Caller, relationId: number, near: TablePosition) {
    const relation = await relationObjects.find(relations, caller.tenant, relationId)
    requirePermission(caller, tableAt(relation, sideAt(near)), 'update')
    requirePermission(caller, tableAt(relation, otherSide(sideAt(near))), 'read')
    return relation
  }

  return {
    ofTable: (tenant: Tenant, idOrName: string) => relationsOfTable(relations, tenant, idOrName),
    related,
    addLinks: add,
    unlink: remove,
  }
}
