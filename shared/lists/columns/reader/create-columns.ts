import type { TenantRef } from '../../../kernel/tenancy.ts'
import { columnManifestKey } from '../../../platform/store/keys/columns.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import { asStored, type NamedFields } from '../../../platform/store/rows/stored-names.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import type { SearchedTable } from '../../search/words-of.ts'
import { storedColumn } from '../column-values.ts'
import { type ColumnTable, type Pin, type ReaderDependencies, stateOfTable } from './column-table.ts'
import { columnView } from './column-view.ts'
import { leafCache } from './memory/leaf-cache.ts'
import { isReady, loadColumns } from './memory/load-columns.ts'
import { shareMemory } from './memory/share-memory.ts'
import { pollWindow } from './sync/poll-window.ts'
import { shareRuns } from './sync/share-runs.ts'
import { longTailBytes, syncTable } from './sync/sync-table.ts'
import { stampOfId } from './table-state.ts'
import type { ColumnView } from './view.ts'

/** More tables are not kept in memory: those not used for the longest go. */
const maxTables = 2_000
/** A table that was not used for so long goes when another one comes. */
const maxUnusedMs = 60 * 60 * 1000

/** So often a list of a table whose columns are not in memory reads their manifest, whether it needs it or not. */
const askAheadEveryMs = 60 * 1000

const nameOf = ({ id }: TenantRef, model: string): string => `${id}#${model}`

export type Columns = ReturnType<typeof createColumns>

/**
 * The columns of all tables in the memory of this process. `budgetBytes`: what they may take, as far as views that are
 * in use allow.
 */
export function createColumns({
  store,
  clock,
  budgetBytes,
}: Omit<ReaderDependencies, 'memory'> & { readonly budgetBytes: number }) {
  /** By tenant and model, those used last at the end. */
  const tables = new Map<string, ColumnTable>()
  const memory = shareMemory(tables, budgetBytes)
  const readers: ReaderDependencies = { store, clock, memory }

  function tableOf(tenant: TenantRef, model: string): ColumnTable {
    const name = nameOf(tenant, model)
    const known = tables.get(name)
    if (known) tables.delete(name)
    else forgetUnused()
    const table = known ?? newTable(tenant, model)
    tables.set(name, table)
    table.usedAt = memory.tick()
    table.usedAtMs = clock.now()
    return table
  }

  function newTable({ id }: TenantRef, model: string): ColumnTable {
    const table: ColumnTable = {
      tenant: { id },
      model,
      state: undefined,
      moments: pollWindow(),
      pins: new Set(),
      loads: new Map(),
      leaves: leafCache(),
      wantsManifest: false,
      ahead: undefined,
      askedAheadAt: Number.NEGATIVE_INFINITY,
      manifestAt: Number.NEGATIVE_INFINITY,
      calmAt: Number.NEGATIVE_INFINITY,
      pruneAt: longTailBytes,
      wordsLookedAt: Number.NEGATIVE_INFINITY,
      usedAt: 0,
      usedAtMs: 0,
      inStep: shareRuns(() => syncTable(readers, table)),
    }
    return table
  }

  function forgetUnused(): void {
    const unusedSince = clock.now() - maxUnusedMs
    for (const [name, table] of tables) {
      if (tables.size < maxTables && table.usedAtMs > unusedSince) return
      if (table.pins.size === 0) tables.delete(name)
    }
  }

  /** Runs `use` while the table is pinned, and until the view that it answers is released. */
  async function pinned<T>(table: ColumnTable, pin: Pin, use: () => Promise<T>): Promise<T> {
    table.pins.add(pin)
    try {
      return await use()
    } catch (error) {
      table.pins.delete(pin)
      throw error
    }
  }

  /**
   * What a query sees of some columns (fields, the standard members of records, `longColumn`s): all that was written
   * before the call, as far as the index of changes has it. Release the view. `words`: the table, to search in the view;
   * `fields`: the table, for the names of renamed fields.
   */
  function open(
    tenant: TenantRef,
    model: string,
    columns: readonly string[],
    { words, fields = asStored }: { readonly words?: SearchedTable; readonly fields?: NamedFields } = {},
  ): Promise<ColumnView> {
    const table = tableOf(tenant, model)
    const pin: Pin = { columns: new Set(columns.map((column) => storedColumn(fields, column))), window: undefined }
    return pinned(table, pin, async () => {
      const synced = table.inStep()
      await Promise.all([synced, table.state && loadColumns(readers, table, pin)])
      // A sync for somebody else may replace the state between two turns.
      do await loadColumns(readers, table, pin)
      while (!isReady(table, pin))
      return columnView(readers, table, pin, words, fields)
    })
  }

  /** The stamps of records, in step; undefined where the columns do not know a record. */
  async function stampsOf(tenant: TenantRef, model: string, ids: readonly number[]): Promise<(number | undefined)[]> {
    const table = tableOf(tenant, model)
    const pin: Pin = { columns: new Set(), window: undefined }
    const stamps = await pinned(table, pin, async () => {
      await table.inStep()
      const state = stateOfTable(table)
      return ids.map((id) => stampOfId(state, id) || undefined)
    })
    table.pins.delete(pin)
    return stamps
  }

  /**
   * What a request may read in the same call as its other rows, before it opens a table that is not in memory: give it to
   * `readAhead`. Nothing when the table is in memory, or was asked for a moment ago: not every list opens its columns.
   */
  function keysAhead(tenant: TenantRef, model: string): readonly Key[] {
    const known = tables.get(nameOf(tenant, model))
    const now = clock.now()
    if (known && (known.state || now - known.askedAheadAt < askAheadEveryMs)) return []
    tableOf(tenant, model).askedAheadAt = now
    return [columnManifestKey(tenant, model)]
  }

  /** Takes a row of `keysAhead`, null when it does not exist. */
  function readAhead(tenant: TenantRef, model: string, item: Item | null): void {
    const known = tables.get(nameOf(tenant, model))
    if (known && !known.state) known.ahead = { item, at: clock.now() }
  }

  return {
    open,
    stampsOf,
    keysAhead,
    readAhead,
    /** The memory in use. */
    get bytes() {
      return memory.bytes
    },
  }
}
