import { repairKey } from '../store/keys.ts'
import type { Store } from '../store/table.ts'
import type { TenantRef } from '../tenancy.ts'

/** What the last repair of a tenant got through. */
export interface Bookmark {
  /** Changes before this moment were looked at. */
  readonly until: string
  /** The sequence of each table as it was found right: `<next>/<live>`. */
  readonly counted: Readonly<Record<string, string>>
}

export async function readBookmark(store: Pick<Store, 'get'>, tenant: TenantRef): Promise<Bookmark | undefined> {
  const item = await store.get(tenant, repairKey(tenant))
  return item && { until: String(item.until), counted: JSON.parse(String(item.counted)) }
}

export const writeBookmark = (store: Pick<Store, 'write'>, tenant: TenantRef, { until, counted }: Bookmark): Promise<void> =>
  store.write(tenant, { put: { ...repairKey(tenant), kind: 'repair', v: 1, until, counted: JSON.stringify(counted) } })
