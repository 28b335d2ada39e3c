import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { KeyRange } from '../../../platform/store/client/key-range.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import type { Rows, Source, SourcePage } from './source.ts'

const perPage = 500

/** The items of ranges, one range after the other. `toRows` makes the rows of a page. */
export function rangeSource(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  name: string,
  ranges: readonly KeyRange[],
  toRows: (items: readonly Item[]) => Promise<readonly Rows[]> | SourcePage['rows'],
): Source {
  return {
    name,
    async read(cursor) {
      const { at, after } = cursor ?? { at: 0 }
      const range = ranges[at]
      if (!range) return { rows: [], next: null }
      const { items, last } = await store.query(tenant, { ...range, limit: perPage, ...(after && { after }) })
      const next = last ? { at, after: { ...last } } : at + 1 < ranges.length ? { at: at + 1 } : null
      return { rows: await toRows(items), next }
    },
  }
}
