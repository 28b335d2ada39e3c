import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { SearchedTable } from '../../search/words-of.ts'

/** When a keeper folds, and how large things may become. */
export interface KeeperLimits {
  /** A log is folded when it has so many rows, and a 64th of the living records. */
  readonly foldRows: number
  /** It is folded as well when it has so many bytes, and a 16th of those of all blocks. */
  readonly foldBytes: number
  /** One fold reads so many bytes of log, or one entry. A log of this size is folded in any case. */
  readonly maxFoldBytes: number
  /** A column of long texts that takes more bytes in all blocks is left out. */
  readonly longColumnBytes: number
  /** A longer manifest is stored in parts. */
  readonly manifestBytes: number
}

export const keeperLimits: KeeperLimits = {
  foldRows: 4096,
  foldBytes: 2 * 1024 * 1024,
  maxFoldBytes: 32 * 1024 * 1024,
  longColumnBytes: 64 * 1024 * 1024,
  manifestBytes: 350 * 1024,
}

/** Finds what is searched of a table; undefined when it was removed. */
export interface SearchedTables {
  find(tenant: Tenant, model: string): Promise<SearchedTable | undefined>
}

/** A table whose columns are kept, with what that needs. */
export interface KeptTable {
  readonly store: Store
  readonly clock: Clock
  readonly tables: SearchedTables
  readonly limits: KeeperLimits
  readonly tenant: Tenant
  readonly model: string
}
