import type { Tenant } from '../../../shared/kernel/tenancy.ts'
import type { SaidRow } from '../../../shared/lists/columns/said-row.ts'
import { saidMessage } from '../../../shared/messages/incoming-messages/said-message.ts'
import type { ChangeEvent } from '../../../shared/platform/queue/change-feed/change-event.ts'
import { saidComments } from '../../../shared/records/comments/said-comment.ts'
import { lazyObjects } from '../platform/lazy-objects.ts'
import { store } from '../platform/store.ts'

const services = { store, fetchObject: lazyObjects.fetchObject }

/** What the index of what was said holds of changed comments and messages, by their place in it. */
export async function readSaid(tenant: Tenant, changes: readonly ChangeEvent[]): Promise<ReadonlyMap<number, SaidRow>> {
  const comments = changes.flatMap(({ said, version }) => (said && 'comment' in said ? [{ said, version }] : []))
  const rows = await saidComments(store, tenant, comments)
  // One after another: the text of one may take megabytes.
  for (const { said, version } of changes)
    if (said && 'message' in said) rows.push(await saidMessage(services, tenant, { id: said.message, version }))
  return new Map(rows.map((row) => [row.id, row]))
}
