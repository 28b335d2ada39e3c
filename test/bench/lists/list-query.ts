import type { GroupDefinition, ListDefinition } from '../world/model.ts'
import { below } from '../world/words.ts'
import type { World } from '../world/world.ts'

/** One request of a query, and what its answer must be. */
export interface ListAsk {
  readonly body: object
  readonly token?: string
  readonly lists?: ListDefinition
  readonly groups?: GroupDefinition
}

/** A named query: the n-th request has other parameters than the one before, so that no kept answer can serve. */
export interface ListQuery {
  readonly name: string
  /** What it computes on decides its goals. */
  readonly kind: 'values' | 'texts' | 'search'
  /** It keeps a function busy: sixteen at once must not hold up others. */
  readonly isHeavy?: true
  /** Also measured as the first list of a process. */
  readonly isMeasuredCold?: true
  /** Asks in the name of people whose role has rules. */
  readonly needsRules?: true
  /** `cursors`: where pages of the query's list end. */
  ask(n: number, world: World, cursors: readonly ListCursor[]): ListAsk
  /** The list whose pages the query asks for by cursor. */
  readonly cursorsOf?: (page: number) => object
}

export interface ListCursor {
  readonly cursor: string
  /** The page that the cursor leads to. */
  readonly page: number
}

/** One of the first pages: most readers look no further. Small tables have fewer pages. */
export const firstPage = (n: number, { records }: Pick<World, 'records'>, pages = 8): number =>
  1 + below(Math.max(1, Math.min(pages, Math.floor(records / 1000))), n, 90)
