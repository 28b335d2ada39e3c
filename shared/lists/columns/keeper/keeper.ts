import { log } from '../../../kernel/runtime/log.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { saidModel } from '../../../platform/queue/change-feed/said-event.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Tables } from '../../../tables/tables/read-tables.ts'
import { saidTable } from '../../search/said.ts'
import { sumBytes } from '../blocks.ts'
import type { LogHead, LogRow } from '../log-entry.ts'
import type { Manifest } from '../manifest.ts'
import type { TellUnreadable } from '../row-of-record.ts'
import { appendRows } from './append-rows.ts'
import { fold, type FoldOutcome } from './fold.ts'
import { type KeeperLimits, keeperLimits, type KeptTable, type SearchedTables } from './keeper-limits.ts'
import { rebuildChunk } from './rebuild-chunk.ts'

export interface KeeperDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly tables: Pick<Tables, 'find'>
  readonly limits?: Partial<KeeperLimits>
}

export type Keeper = ReturnType<typeof createKeeper>

/** For how many tables a keeper remembers the end of the log. */
const rememberedTables = 5_000

/** What a keeper remembers of a table: the end of its log, and the manifest's figures when it read them last. */
interface Remembered {
  head?: LogHead
  folded?: FoldFigures
}

/** What decides whether a log is long. */
type FoldFigures = Pick<Manifest, 'n' | 'size' | 'live'> & { readonly blockBytes: number }

/** Keeps the columns of tables in step with their records: appends to logs and folds them. */
export function createKeeper({ store, clock, tables, limits: some }: KeeperDependencies) {
  const limits = { ...keeperLimits, ...some }
  const remembered = new Map<string, Remembered>()

  const searched: SearchedTables = {
    find: async (tenant, model) => (model === saidModel ? saidTable : tables.find(tenant, model)),
  }
  const kept = (tenant: Tenant, model: string): KeptTable => ({ store, clock, tables: searched, limits, tenant, model })

  function remember(tenant: Tenant, model: string): Remembered {
    const name = `${tenant.id}#${model}`
    const known = remembered.get(name) ?? {}
    remembered.delete(name)
    for (const oldest of remembered.keys()) {
      if (remembered.size < rememberedTables) break
      remembered.delete(oldest)
    }
    remembered.set(name, known)
    return known
  }

  /** Appends what records became to their table's log. Idempotent; tolerates delay and reordering. */
  async function append(tenant: Tenant, model: string, rows: readonly LogRow[]): Promise<void> {
    if (rows.length === 0) return
    const known = remember(tenant, model)
    const head = await appendRows(kept(tenant, model), rows)
    if (head.seq > (known.head?.seq ?? 0)) known.head = head
  }

  /** Folds the log of a table while it is long, unless nothing was appended yet. */
  async function foldIfLong(tenant: Tenant, model: string): Promise<void> {
    const known = remember(tenant, model)
    for (;;) {
      const { head, folded = nothingFolded } = known
      if (!head || !isLogLong(limits, head, folded)) return
      const outcome = await fold(kept(tenant, model), (manifest) => {
        known.folded = figuresOf(manifest)
        return isLogLong(limits, head, known.folded)
      })
      // What stays in the log is folded after a later append; readers read it there until then.
      if (outcome === 'superseded') log.info('a fold of a column log was superseded', { model })
      if (outcome !== 'folded') return
    }
  }

  /** Folds the log of a table at once. */
  const foldNow = (tenant: Tenant, model: string): Promise<FoldOutcome> => fold(kept(tenant, model), () => true)

  return {
    append,
    foldIfLong,
    foldNow,
    /**
     * Makes a chunk anew from its records; false when a fold was in flight or faster: call again. `tell` hears of each
     * record that had to be left out.
     */
    rebuildChunk: (tenant: Tenant, model: string, chunk: number, tell?: TellUnreadable): Promise<boolean> =>
      rebuildChunk(kept(tenant, model), chunk, tell),
  }
}

const nothingFolded: FoldFigures = { n: 0, size: 0, live: 0, blockBytes: 0 }

function figuresOf({ n, size, live, blocks }: Manifest): FoldFigures {
  let blockBytes = 0
  for (const places of blocks.values()) blockBytes += sumBytes(places.values())
  return { n, size, live, blockBytes }
}

function isLogLong(limits: KeeperLimits, head: LogHead, folded: FoldFigures): boolean {
  const [rows, bytes] = [head.n - folded.n, head.size - folded.size]
  if (rows >= Math.max(limits.foldRows, folded.live / 64)) return true
  return bytes >= Math.min(Math.max(limits.foldBytes, folded.blockBytes / 16), limits.maxFoldBytes)
}
