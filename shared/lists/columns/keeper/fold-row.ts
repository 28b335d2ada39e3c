import { isoTime } from '../../../kernel/time/clock.ts'
import { columnsPartition, foldKey, foldPrefix } from '../../../platform/store/keys/columns.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import { readAll } from '../../../platform/store/ranges/read-all.ts'
import { readJson } from '../../../platform/store/values/json-attribute.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import type { KeptTable } from './keeper-limits.ts'

/** The row of a fold, or of a rebuilt chunk, that is in flight or was interrupted. */
export interface FoldRow {
  readonly generation: string
  /** The revision of the manifest that it replaces. */
  readonly rev: number
  /** The chunks whose blocks it replaces. */
  readonly chunks: readonly number[]
  /** When it last showed that it continues, in milliseconds since 1970. */
  readonly seenAt: number
}

/** After so long without a sign a fold is taken for interrupted; it then gives up itself. */
export const foldLeaseMs = 60_000

export const foldItem = ({ tenant, model }: KeptTable, fold: FoldRow): Item & Key => ({
  ...foldKey(tenant, model, fold.generation),
  kind: 'column-fold',
  v: 1,
  rev: fold.rev,
  chunks: JSON.stringify(fold.chunks),
  seen_at: isoTime(fold.seenAt),
})

/** The folds of a table that are in flight or were interrupted. */
export async function readFolds({ store, tenant, model }: KeptTable): Promise<FoldRow[]> {
  const items = await readAll(store, tenant, { pk: columnsPartition(tenant, model), prefix: foldPrefix })
  return items.map((item) => ({
    generation: String(item.sk).slice(foldPrefix.length),
    rev: Number(item.rev),
    chunks: readJson<number[]>(item, 'chunks'),
    seenAt: Date.parse(String(item.seen_at)),
  }))
}

/** The interrupted folds of a table; undefined when one is in flight. */
export async function interruptedFolds(kept: KeptTable): Promise<FoldRow[] | undefined> {
  const folds = await readFolds(kept)
  return folds.some(({ seenAt }) => kept.clock.now() - seenAt < foldLeaseMs) ? undefined : folds
}
