import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { NamedFields } from '../../../platform/store/rows/stored-names.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import type { Query } from '../grammar/parse-query.ts'
import { compilePredicate } from './compile-predicate.ts'
import { openRelated, referencesIn, type Related } from './related.ts'
import { readableRowOf, type Row } from './row.ts'

/** Checks records against the whole filter, because columns may lag behind them. */
export interface Check {
  /** The records as rows, with undefined in place of those that do not belong to the list. */
  records(items: readonly (Item | undefined)[]): Promise<readonly (Row | undefined)[]>
  readonly related: Related
}

export function createCheck(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  table: NamedFields,
  { filter, search }: Pick<Query, 'filter' | 'search'>,
): Check {
  const passes = compilePredicate(filter)
  const references = referencesIn(filter)
  const related = openRelated(store, tenant)
  return {
    related,
    async records(items) {
      const rows = items.map((item) => readableRowOf(item, table))
      if (references.length > 0) {
        await related.attach(
          rows.filter((row) => row !== undefined),
          references,
        )
      }
      return rows.map((row) => (row && passes(row) && (search?.matches(row) ?? true) ? row : undefined))
    },
  }
}
