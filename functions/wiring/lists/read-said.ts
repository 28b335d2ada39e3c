import type { Tenant } from '../../../shared/kernel/tenancy.ts'
import type { SaidRow } from '../../../shared/lists/columns/said-row.ts'
import { saidMessage } from '../../../shared/messages/incoming-messages/said-message.ts'
import type { ChangeEvent } from '../../../shared/platform/queue/change-feed/change-event.ts'
import { commentKey } from '../../../shared/platform/store/keys/comments.ts'
import { saidComment } from '../../../shared/records/comments/said-comment.ts'
import { lazyObjects } from '../platform/lazy-objects.ts'
import { store } from '../platform/store.ts'

const services = { store, fetchObject: lazyObjects.fetchObject }

/** What the index of what was said holds of changed comments and messages, by their place in it. Those that cannot be read go to `fail`. */
export async function readSaid(
  tenant: Tenant,
  changes: readonly ChangeEvent[],
  fail: (change: ChangeEvent, cause: unknown) => void,
): Promise<ReadonlyMap<number, SaidRow>> {
  const rows = new Map<number, SaidRow>()
  const comments = changes.flatMap((change) => (change.said && 'comment' in change.said ? [change.said] : []))
  const items = await store.getMany(
    tenant,
    comments.map(({ model, record_id: recordId, comment, is_internal: isInternal }) =>
      commentKey(tenant, model, recordId, { id: comment, isInternal }),
    ),
  )
  const itemOf = new Map(comments.map((comment, index) => [comment, items[index]]))
  // One after another: the text of one message may take megabytes.
  for (const change of changes) {
    const { said, version } = change
    if (!said) continue
    try {
      const row =
        'comment' in said
          ? saidComment(itemOf.get(said), { id: said.comment, version })
          : await saidMessage(services, tenant, { id: said.message, version })
      rows.set(row.id, row)
    } catch (cause) {
      fail(change, cause)
    }
  }
  return rows
}
