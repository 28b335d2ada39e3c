import { Forbidden, NotFound } from '../kernel/faults.ts'
import { mayOnTable, type TableAction } from '../kernel/permissions.ts'
import type { Caller } from '../kernel/principal.ts'
import type { ConfigRow } from '../store/config.ts'
import { idText } from '../store/keys/key.ts'
import type { Side } from '../store/keys/relations.ts'
import type { Relation, TablePosition } from './schema.ts'

export const relationSequence = 'sys_relations'

/** Rows are named by id, so that a link's transaction or a list finds a relation whatever it is called now. */
export const relationOf = (row: ConfigRow): Relation => ({
  ...(row.doc as Omit<Relation, 'version'>),
  version: row.version,
})
export const relationRow = ({ version, ...doc }: Relation): ConfigRow => ({
  name: relationRowName(doc.id),
  version,
  doc,
})
export const relationRowName = idText

export const sideAt = (position: TablePosition): Side => (position === 'l_table' ? 'l' : 'r')
export const otherSide = (side: Side): Side => (side === 'l' ? 'r' : 'l')
export const tableAt = ({ l_table, r_table }: Pick<Relation, 'l_table' | 'r_table'>, side: Side): string =>
  side === 'l' ? l_table : r_table

/** The sides on which a table stands: both for a relation of a table with itself, none when it takes no part. */
export const sidesOf = (relation: Relation, table: string): Side[] =>
  (['l', 'r'] as const).filter((side) => tableAt(relation, side) === table)

/** The side that a table's name says, and `position` where it stands on both; NotFound when it stands on neither. */
export function sideOfTable(relation: Relation, table: string, position: TablePosition | undefined): Side {
  const [first, second] = sidesOf(relation, table)
  if (first === undefined)
    throw new NotFound('relation', { id: relation.id, table }, 'The relation of this table was not found.')
  return second !== undefined && position === 'r_table' ? second : first
}

/** Who changes or reads links acts on two tables, of which a path names one at most. */
export function requirePermission(caller: Caller, table: string, action: TableAction): void {
  if (!mayOnTable(caller, table, action)) throw new Forbidden()
}
