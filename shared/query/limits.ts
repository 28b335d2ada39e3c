/** How much a query may read, and the sizes from which another plan is cheaper. */
export interface Limits {
  /** The most records that one request reads without an index (contract §3). */
  readonly maxRead: number
  /** Above this many matches a total is exact only if a counter exists (contract §1). */
  readonly maxCounted: number
  /** The most keys of one slot that are read to intersect slots. */
  readonly maxKeys: number
  /** How many keys of each slot are read to find out which part of a filter is selective. */
  readonly probed: number
  /** Up to this many matches are read and sorted in memory instead of searched in another slot. */
  readonly readWhole: number
  /** The most records that a scan of the sort's slot checks before another plan is tried. */
  readonly maxScanned: number
  /** Up to this many keys before a page are read with it and dropped, which costs no round trip. */
  readonly shortSkip: number
  /** From this many keys on a range is split to list and count its parts in parallel. */
  readonly splitFrom: number
  /** The span of ids of one part of a split range: no more keys than one call answers. Smaller tables are not split. */
  readonly splitIds: number
  /** Up to this many records a table is counted itself: that costs one call, as a counter does, and does not lag. */
  readonly smallTable: number
  /** The most records with the same first sort value; they are sorted in memory. */
  readonly maxRun: number
}

export const defaultLimits: Limits = {
  maxRead: 20_000,
  maxCounted: 50_000,
  maxKeys: 100_000,
  probed: 500,
  readWhole: 1000,
  maxScanned: 4000,
  shortSkip: 1000,
  splitFrom: 5000,
  splitIds: 12_000,
  smallTable: 500,
  maxRun: 20_000,
}
