import { Conflict, NotFound } from '../../../kernel/failures/faults.ts'
import { type Caller, unrestricted } from '../../../kernel/principal.ts'
import { portalRecordKey } from '../../../platform/store/keys/portal.ts'
import { storeComment } from '../../../records/comments/write/store-comment.ts'
import { findOwnTask } from '../../processes/tasks/list-tasks.ts'
import type { PortalDependencies } from '../dependencies.ts'
import { requireOwnFiles } from '../requests/check-references.ts'
import { identity, storeOnce } from '../requests/comment-on-request.ts'
import type { Approval, PortalComment } from '../schema.ts'
import { describeApproval } from './list-approvals.ts'

/**
 * Writes a comment on what a task of the caller is about: an answer to the requester, or an internal comment on a record
 * that was not made in the portal. The task is the permission. Under a `key` it is written once. Throws NotFound and Invalid.
 */
export async function commentOnApproval(
  services: PortalDependencies,
  caller: Caller,
  id: number,
  input: PortalComment,
  key?: string,
): Promise<Approval> {
  const { body, attachments = [] } = input
  const { store } = services.records
  const { tenant } = caller
  const task = await findOwnTask(services.records, caller, id)
  // A process without a record has nothing to comment on.
  if (!task || task.outcomes.length === 0 || task.record_id === null) throw new NotFound('task', { id })
  await requireOwnFiles(
    services,
    caller,
    attachments.map((path, index) => ({ at: `attachments.${index}`, path })),
  )
  const record = { model: task.model, id: task.record_id }
  const isInternal = (await store.get(tenant, portalRecordKey(tenant, record.model, record.id))) === undefined
  const author = { ...unrestricted, ...identity(caller) }
  try {
    await storeOnce(
      services,
      caller,
      { route: `POST /api/portal/approvals/${id}/comments`, key, input },
      (moreWrites) => storeComment(services.comments, author, record, { body, isInternal, attachments }, moreWrites),
    )
  } catch (error) {
    // A merge ends the processes of the record, and with them the task.
    if (error instanceof Conflict && error.code === 'record_merged') throw new NotFound('task', { id })
    throw error
  }
  return describeApproval(services, caller, task)
}
