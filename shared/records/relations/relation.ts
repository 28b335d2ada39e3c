import type * as z from 'zod'
import { NotFound } from '../../kernel/failures/faults.ts'
import { permissionMissing } from '../../kernel/failures/permission-missing.ts'
import { mayOnTable, type TableAction } from '../../kernel/permissions.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { RowTimes } from '../../platform/store/config.ts'
import type { Side } from '../../platform/store/keys/relations.ts'
import { readObject } from '../../platform/store/rows/object-row.ts'
import type { TableRelation } from '../../tables/tables/schema.ts'
import type { TablePosition } from './schema.ts'

export const relationSequence = 'sys_relations'

/** A relation as it is stored. */
export interface Relation extends z.output<typeof TableRelation>, RowTimes {}

/** Reads the configuration row of a relation. */
export const relationOf = readObject<Relation>

export const sideAt = (position: TablePosition): Side => (position === 'l_table' ? 'l' : 'r')
export const otherSide = (side: Side): Side => (side === 'l' ? 'r' : 'l')
export const tableAt = ({ l_table, r_table }: Pick<Relation, 'l_table' | 'r_table'>, side: Side): string =>
  side === 'l' ? l_table : r_table

/** The sides of a relation that a table is on: both, one or none. */
export const sidesOf = (relation: Relation, table: string): Side[] =>
  (['l', 'r'] as const).filter((side) => tableAt(relation, side) === table)

/** The side of a table; `position` decides when it is on both. Throws NotFound when it is on neither. */
export function sideOfTable(relation: Relation, table: string, position: TablePosition | undefined): Side {
  const [first, second] = sidesOf(relation, table)
  if (first === undefined)
    throw new NotFound('relation', { id: relation.id, table }, 'The relation of this table was not found.')
  return second !== undefined && position === 'r_table' ? second : first
}

/** Throws Forbidden. Links concern two tables, of which the path names at most one, so the route cannot check both. */
export function requirePermission(caller: Caller, table: string, action: TableAction): void {
  if (!mayOnTable(caller, table, action)) throw permissionMissing(table, action)
}
