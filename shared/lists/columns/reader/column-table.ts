import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import type { LeafCache } from './memory/leaf-cache.ts'
import type { PollWindow } from './sync/poll-window.ts'
import type { TableState } from './table-state.ts'

export interface ReaderDependencies {
  readonly store: Pick<Store, 'get' | 'getMany' | 'query'>
  readonly clock: Pick<Clock, 'now' | 'sleep'>
  readonly memory: Memory
}

/** The memory that all tables of a process share. */
export interface Memory {
  /** What they may take, as far as views in use allow. */
  readonly budgetBytes: number
  /** What they take. */
  readonly bytes: number
  /** A number that rises with each use. */
  tick(): number
  /**
   * Lets go of what was not used for the longest until there is room for so many bytes more: first of tenants that have
   * more than their fair share, never of what views use. False when there is no room.
   */
  makeRoom(bytes: number): boolean
}

/** What one open view, or one that is being opened, keeps in memory. */
export interface Pin {
  readonly columns: ReadonlySet<string>
  /** The chunks that it works on, when all would not fit; undefined: all chunks. */
  window: ChunkRange | undefined
}
export interface ChunkRange {
  readonly from: number
  /** Included. */
  readonly to: number
}

/** One table in the memory of this process. */
export interface ColumnTable {
  readonly tenant: TenantRef
  readonly model: string
  /** Undefined until the first sync, and after it was evicted. A gap in the log replaces it. */
  state: TableState | undefined
  moments: PollWindow
  readonly pins: Set<Pin>
  /** Loads in flight by cell (`<column>#<chunk>`). */
  readonly loads: Map<string, Promise<void>>
  readonly leaves: LeafCache
  /** Somebody found a block of the manifest replaced: the next sync reads the manifest. */
  wantsManifest: boolean
  /** The manifest's item as a request read it ahead, null for none, and when: for the first sync. */
  ahead: { readonly item: Item | null; readonly at: number } | undefined
  /** When a request was last told to read it ahead. */
  askedAheadAt: number
  /** When the manifest was read last. */
  manifestAt: number
  /** No sync begins before this: the one before found a flood of changes. */
  calmAt: number
  /** The bytes of the tail from which on the manifest is read, to prune it. */
  pruneAt: number
  /** When a search last looked whether words are made anew. */
  wordsLookedAt: number
  /** The tick of its last use, and the time. */
  usedAt: number
  usedAtMs: number
  /** Brings the state in step with all that was written before the call. */
  readonly inStep: () => Promise<void>
}

/** The state of a table that is pinned and was in step once. */
export function stateOfTable({ state, model }: ColumnTable): TableState {
  if (!state) throw new Error(`the columns of ${model} were used before they were in step`)
  return state
}

/** The columns that open views want for all chunks. */
export const pinnedColumns = ({ pins }: ColumnTable): Set<string> =>
  new Set([...pins].flatMap(({ columns, window }) => (window ? [] : [...columns])))

/** Whether a cell must stay in memory. */
export const isPinned = ({ pins }: ColumnTable, column: string, chunk: number): boolean => {
  for (const { columns, window } of pins) {
    if (columns.has(column) && (!window || (chunk >= window.from && chunk <= window.to))) return true
  }
  return false
}
