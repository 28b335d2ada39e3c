import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Store } from '../../../platform/store/store.ts'
import { inChunks } from './in-chunks.ts'
import { maxWrites, unlinkWrites, type Link } from './link-rows.ts'

/** Removes links, 50 per transaction; those that are gone already are ignored. Answers how many links it was given. */
export async function removeLinks(
  store: Store,
  tenant: TenantRef,
  links: readonly Link[],
  uuid: () => string,
): Promise<number> {
  // A record linked to itself is found on both sides, but a transaction may touch a row only once.
  const distinct = [...new Map(links.map((link) => [`${link.relationId} ${link.l} ${link.r}`, link])).values()]
  await inChunks(distinct, maxWrites / 2, (chunk) =>
    store.transact(
      tenant,
      chunk.flatMap((link) => unlinkWrites(tenant, link)),
      uuid(),
    ),
  )
  return distinct.length
}
