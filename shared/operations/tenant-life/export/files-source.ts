import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { ListedObject, ObjectListing } from '../../../platform/objects/object-listing.ts'
import type { Store } from '../../../platform/store/store.ts'
import { describeFile } from '../../../tables/files/describe-file.ts'
import type { Source } from './source.ts'

const perPage = 50
/** A page ends with the file that reaches this size, so that it takes some seconds. */
const pageBytes = 64 * 1024 * 1024

/** The files of records: who uploaded them, which records hold them, and their content. */
export const filesSource = (
  { store, listing }: { readonly store: Pick<Store, 'query'>; readonly listing: Pick<ObjectListing, 'list'> },
  tenant: TenantRef,
): Source => ({
  name: 'files',
  async read(cursor) {
    const objects = firstOf(await listing.list(`files/${tenant.id}/`, cursor?.after?.key ?? null, perPage))
    const last = objects.at(-1)
    const found = await Promise.all(objects.map(({ key }) => describeFile(store, tenant, key)))
    const rows = found.filter((row) => row !== undefined)
    return {
      rows: [{ file: 'files', rows }],
      files: rows.map(({ path }) => ({ path })),
      next: last ? { at: 0, after: { key: last.key } } : null,
    }
  },
})

function firstOf(objects: readonly ListedObject[]): ListedObject[] {
  let bytes = 0
  return objects.filter(({ sizeBytes }) => {
    const fits = bytes < pageBytes
    bytes += sizeBytes
    return fits
  })
}
