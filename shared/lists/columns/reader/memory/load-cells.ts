import { createTurns } from '../../../../kernel/runtime/give-way.ts'
import { blockName, readBlocks, type WantedBlock } from '../../blocks.ts'
import { decodeBlock } from '../../vector/blocks/decode-block.ts'
import { type ColumnTable, type ReaderDependencies, stateOfTable } from '../column-table.ts'
import { holdCell, isHeld } from '../table-state.ts'
import { missingBlock } from './missing-block.ts'

/**
 * Loads cells that are not in memory. Cells that somebody else loads are waited for. Call again until none is missing:
 * a fold, or a gap in the log, may replace the state meanwhile.
 */
export async function loadCells(
  readers: ReaderDependencies,
  table: ColumnTable,
  cells: readonly WantedBlock[],
): Promise<void> {
  const others = new Set<Promise<void>>()
  const own: WantedBlock[] = []
  for (const cell of cells) {
    const load = table.loads.get(blockName(cell))
    if (load) others.add(load)
    else own.push(cell)
  }
  if (own.length > 0) {
    const load = loadOwn(readers, table, own).finally(() => {
      for (const cell of own) table.loads.delete(blockName(cell))
    })
    for (const cell of own) table.loads.set(blockName(cell), load)
    others.add(load)
  }
  await Promise.all(others)
}

async function loadOwn(
  { store }: ReaderDependencies,
  table: ColumnTable,
  cells: readonly WantedBlock[],
): Promise<void> {
  const { tenant, model } = table
  const state = stateOfTable(table)
  const { manifest } = state
  const blocks = await readBlocks(store, tenant, model, manifest, cells)
  if (!blocks) {
    table.wantsManifest = true
    await table.inStep()
    if (stateOfTable(table).manifest.rev === manifest.rev) throw missingBlock(model, manifest)
    return
  }
  const nextTurn = createTurns()
  for (const cell of cells) {
    // Rows that are not in these blocks may have been let go meanwhile.
    if (table.state !== state || state.manifest !== manifest) return
    const { column, chunk } = cell
    const block = blocks.get(blockName(cell))
    if (!isHeld(state, column, chunk)) holdCell(state, column, chunk, block && decodeBlock(block))
    const turn = nextTurn()
    if (turn) await turn
  }
}
