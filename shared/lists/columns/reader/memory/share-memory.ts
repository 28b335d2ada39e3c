import { type ColumnTable, isPinned, type Memory } from '../column-table.ts'
import { baseBytes, cellBytes, type HeldColumn, type TableState } from '../table-state.ts'

/** What can be let go of. */
interface Droppable {
  readonly tenantId: number
  readonly usedAt: number
  /** Answers the bytes that it let go of. */
  drop(): number
}

/** Shares `budgetBytes` between tables. */
export function shareMemory(tables: ReadonlyMap<string, ColumnTable>, budgetBytes: number): Memory {
  let ticks = 0
  const bytesInUse = (): number => [...tables.values()].reduce((sum, table) => sum + tableBytes(table), 0)

  function makeRoom(needed: number): boolean {
    let over = bytesInUse() + needed - budgetBytes
    if (over <= 0) return true
    const shares = tenantBytes(tables.values())
    const fairShare = budgetBytes / Math.max(1, shares.size)
    const droppable = [...tables.values()].flatMap(droppableOf).sort((a, b) => a.usedAt - b.usedAt)
    const dropFrom = (isNext: (one: Droppable) => boolean): void => {
      for (const one of droppable) {
        if (over <= 0) return
        if (!isNext(one)) continue
        const freed = one.drop()
        over -= freed
        shares.set(one.tenantId, (shares.get(one.tenantId) ?? 0) - freed)
      }
    }
    dropFrom(({ tenantId }) => (shares.get(tenantId) ?? 0) > fairShare)
    dropFrom(() => true)
    return over <= 0
  }

  return {
    budgetBytes,
    get bytes() {
      return bytesInUse()
    },
    tick: () => (ticks += 1),
    makeRoom,
  }
}

/** The memory of a table: as its columns were measured last. */
function tableBytes({ state, leaves }: ColumnTable): number {
  let bytes = leaves.bytes
  if (state) {
    bytes += baseBytes(state)
    for (const column of state.columns.values()) bytes += column.bytes
  }
  return bytes
}

function tenantBytes(tables: Iterable<ColumnTable>): Map<number, number> {
  const shares = new Map<number, number>()
  for (const table of tables) {
    const bytes = tableBytes(table)
    if (bytes > 0) shares.set(table.tenant.id, (shares.get(table.tenant.id) ?? 0) + bytes)
  }
  return shares
}

/** The columns of a table, its leaves, and what is left of it once it has none. */
function droppableOf(table: ColumnTable): Droppable[] {
  const { tenant, state, leaves, usedAt } = table
  if (!state) return []
  const common = { tenantId: tenant.id }
  return [
    ...[...state.columns.values()].map((column) => ({
      ...common,
      usedAt: column.usedAt,
      drop: () => (table.state === state ? dropCells(table, column) : 0),
    })),
    ...(leaves.bytes > 0 ? [{ ...common, usedAt, drop: () => leaves.shrink() }] : []),
    ...(state.searched ? [{ ...common, usedAt, drop: () => dropTailWords(state) }] : []),
    { ...common, usedAt, drop: () => dropBase(table) },
  ]
}

/** Lets go of the cells that no view uses. */
function dropCells(table: ColumnTable, column: HeldColumn): number {
  const before = column.bytes
  for (const chunk of column.cells.keys()) if (!isPinned(table, column.name, chunk)) column.cells.delete(chunk)
  column.bytes = cellBytes(column.cells)
  const isUsed = [...table.pins].some(({ columns }) => columns.has(column.name))
  if (!isUsed) table.state?.columns.delete(column.name)
  return before - column.bytes
}

/** The next search makes them from the tail again; one that is in flight continues with those it has. */
function dropTailWords(state: TableState): number {
  const bytes = state.searched?.words.bytes ?? 0
  state.searched = undefined
  return bytes
}

/** The next view begins with the manifest again. */
function dropBase(table: ColumnTable): number {
  if (table.pins.size > 0) return 0
  const bytes = tableBytes(table)
  table.state = undefined
  while (table.leaves.bytes > 0) table.leaves.shrink()
  return bytes
}
