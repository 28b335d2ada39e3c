import type { TenantRef } from '../../kernel/tenancy.ts'
import { commentPartition, discussionKey } from '../../platform/store/keys/comments.ts'
import { keyOfItem } from '../../platform/store/keys/key.ts'
import type { RecordDiscussions } from '../records/service.ts'
import { attachmentWrites, letGo } from './attachments.ts'
import type { CommentDependencies } from './dependencies.ts'
import { type Comment, readComment } from './rows/comment-row.ts'
import { formerWatchersItem } from './rows/discussion-row.ts'

/** Comments read and removed between two checks of the time. */
const batch = 25

type Dependencies = Pick<CommentDependencies, 'store' | 'clock'>

/** The comments and watchers of one record, as a delete of the record needs them. */
export function createRecordDiscussions(services: Dependencies): RecordDiscussions {
  const { store } = services

  /** The row of the discussion goes last, so that an interrupted removal is found again. */
  async function remove(tenant: TenantRef, model: string, id: number, timeIsUp: () => boolean): Promise<boolean> {
    const key = discussionKey(tenant, model, id)
    const discussion = await store.get(tenant, key)
    if (!discussion) return true
    for (const isInternal of [false, true]) {
      for (;;) {
        const pk = commentPartition(tenant, model, id, isInternal)
        const { items } = await store.query(tenant, { pk, limit: batch })
        if (items.length === 0) break
        if (timeIsUp()) return false
        const comments = items.map((item) => ({ key: keyOfItem(item), comment: readComment(item) }))
        const bare = comments.filter(({ comment }) => comment.attachments.length === 0)
        await store.writeMany(
          tenant,
          [],
          bare.map((one) => one.key),
        )
        for (const one of comments) if (one.comment.attachments.length > 0) await removeWithFiles(tenant, one)
      }
    }
    const { clock } = services
    const former = { put: formerWatchersItem(tenant, discussion, clock.now()) }
    await store.transact(tenant, [{ remove: key }, former], clock.uuid())
    return true
  }

  async function removeWithFiles(
    tenant: TenantRef,
    { key, comment }: { readonly key: ReturnType<typeof keyOfItem>; readonly comment: Comment },
  ): Promise<void> {
    const gone = { ...comment, version: comment.version + 1 }
    const files = attachmentWrites(services, tenant, gone, comment, undefined)
    await store.transact(tenant, [{ remove: key }, ...files.writes], services.clock.uuid())
    await letGo(services, tenant, files)
  }

  return { remove }
}
