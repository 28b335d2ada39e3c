import type { TenantRef } from '../../kernel/tenancy.ts'
import type { ObjectListing } from '../../platform/objects/object-listing.ts'

export type RemovableObjects = Pick<ObjectListing, 'list' | 'remove'>

/** The prefixes of all objects of tenants (docs/data-model.md, Objects). The next part of a key is the tenant's id. */
const prefixes = ['files/', 'history/', 'processes/', 'imports/', 'exports/', 'deliveries/', 'messages/'] as const
const perList = 100

/** Removes all objects of a tenant; false when time was up before. */
export async function removeObjects(
  objects: RemovableObjects,
  tenant: TenantRef,
  timeIsUp: () => boolean,
): Promise<boolean> {
  for (const prefix of prefixes) {
    if (!(await removeUnder(objects, `${prefix}${tenant.id}/`, timeIsUp))) return false
  }
  return true
}

/** Removes all objects under a prefix; false when time was up before. */
export async function removeUnder(
  objects: RemovableObjects,
  prefix: string,
  timeIsUp: () => boolean,
): Promise<boolean> {
  for (;;) {
    const found = await objects.list(prefix, null, perList)
    if (found.length === 0) return true
    await Promise.all(found.map(({ key }) => objects.remove(key)))
    if (timeIsUp()) return false
  }
}
