/** How much a query may read, and from which sizes on another plan is cheaper. */
export interface Limits {
  /** Records that one request reads where no index helps (contract §3). */
  readonly maxRead: number
  /** Beyond so many matches a total is exact only where a counter is kept (contract §1). */
  readonly maxCounted: number
  /** Keys of one slot that are read to find what several have in common. */
  readonly maxKeys: number
  /** Keys of each slot that are read to learn which part of a filter is selective. */
  readonly probed: number
  /** So many matches are read and sorted whole rather than looked for in another slot. */
  readonly readWhole: number
  /** Records that a walk through the sort's slot may look at before another plan is tried. */
  readonly maxWalked: number
  /** Keys before a page that are read with it and dropped: that costs no round trip of its own. */
  readonly shortSkip: number
  /** More keys than this are listed and counted in parts, side by side. */
  readonly partedFrom: number
  /** Ids that a part of one value spans: no more keys than a call answers. Tables with fewer are read in one piece. */
  readonly partIds: number
  /** A table of so many records is counted itself: counters lag behind it for a moment, and it costs one call as they do. */
  readonly countedFresh: number
  /** Records that share a first sort value are sorted in memory: so many at most. */
  readonly maxRun: number
}

export const defaultLimits: Limits = {
  maxRead: 20_000,
  maxCounted: 50_000,
  maxKeys: 100_000,
  probed: 500,
  readWhole: 1000,
  maxWalked: 4000,
  shortSkip: 1000,
  partedFrom: 5000,
  partIds: 12_000,
  countedFresh: 500,
  maxRun: 20_000,
}
