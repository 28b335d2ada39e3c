import type { TenantRef } from '../../kernel/tenancy.ts'
import { discussionKey } from '../../platform/store/keys/comments.ts'
import { portalListKey, portalRecordKey, portalRequestKey } from '../../platform/store/keys/portal.ts'
import type { Store, Write } from '../../platform/store/store.ts'
import type { RequestFollowers } from '../comments/dependencies.ts'
import { readAdded } from '../comments/rows/discussion-row.ts'
import { listWrite, readRequest } from './request-row.ts'

/** Who follows requests of the portal, for the comments and watchers of their records. */
export function requestFollowers({ store }: { readonly store: Pick<Store, 'get'> }): RequestFollowers {
  async function requestIdOf(tenant: TenantRef, model: string, id: number): Promise<number | undefined> {
    const pointer = await store.get(tenant, portalRecordKey(tenant, model, id))
    return pointer && Number(pointer.request_id)
  }

  return {
    async followersOf(tenant, { model, id }) {
      const requestId = await requestIdOf(tenant, model, id)
      if (requestId === undefined) return new Set()
      const [row, discussion] = await Promise.all([
        store.get(tenant, portalRequestKey(tenant, requestId)),
        store.get(tenant, discussionKey(tenant, model, id)),
      ])
      return new Set([...(row ? [readRequest(row).userId] : []), ...readAdded(discussion)])
    },
    async listWrites(tenant, { model, id }, { added, removed }): Promise<readonly Write[]> {
      const requestId = await requestIdOf(tenant, model, id)
      if (requestId === undefined) return []
      const row = await store.get(tenant, portalRequestKey(tenant, requestId))
      const requester = row && readRequest(row).userId
      return [
        ...added.map((userId) => listWrite(tenant, userId, requestId)),
        ...removed
          .filter((userId) => userId !== requester)
          .map((userId): Write => ({ remove: portalListKey(tenant, userId, requestId) })),
      ]
    },
  }
}
