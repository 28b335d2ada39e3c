import { Fault } from '../../../kernel/failures/faults.ts'
import { type Caller, unrestricted } from '../../../kernel/principal.ts'
import { TransactionRefused } from '../../../platform/store/writes/refusals.ts'
import type { Comment } from '../../../records/comments/rows/comment-row.ts'
import { storeComment } from '../../../records/comments/write/store-comment.ts'
import type { PortalRequest } from '../../../records/portal-requests/request-row.ts'
import { type AnswerCodec, keyedRequest } from '../../../records/records/write/keyed-request.ts'
import type { PortalDependencies } from '../dependencies.ts'
import type { PortalComment } from '../schema.ts'
import { requireOwnFiles } from './check-references.ts'
import { withRequest } from './open-request.ts'

const idAnswer: AnswerCodec<number> = {
  write: (id) => ({ answer: id }),
  read: ({ answer }) => Number(answer),
}

/**
 * Writes a public comment on a request that the caller sent or follows, which is part of the conversation of the record that
 * its own was merged into. Those who watch that are notified. Throws NotFound and Invalid.
 */
export const commentOnRequest = (
  services: PortalDependencies,
  caller: Caller,
  id: number,
  input: PortalComment,
  key: string | undefined,
): Promise<void> =>
  withRequest(services, caller, id, ({ request }) => storeOnRequest(services, caller, request, input, key))

async function storeOnRequest(
  services: PortalDependencies,
  caller: Caller,
  { id, model, recordId }: PortalRequest,
  input: PortalComment,
  key: string | undefined,
): Promise<void> {
  const { body, attachments = [] } = input
  await requireOwnFiles(
    services,
    caller,
    attachments.map((path, index) => ({ at: `attachments.${index}`, path })),
  )
  const author = { ...unrestricted, ...identity(caller) }
  const content = { body, isInternal: false, attachments, through: recordId }
  await storeOnce(services, caller, { route: `POST /api/portal/requests/${id}/comments`, key, input }, (moreWrites) =>
    storeComment(services.comments, author, { model, id: recordId }, content, moreWrites),
  )
}

/** Stores a comment; under a key only the first time. */
export async function storeOnce(
  services: PortalDependencies,
  caller: Caller,
  { route, key, input }: { readonly route: string; readonly key: string | undefined; readonly input: PortalComment },
  store: (moreWrites: Parameters<typeof storeComment>[4]) => Promise<Comment>,
): Promise<void> {
  if (key === undefined) {
    await store(() => [])
    return
  }
  const keyed = keyedRequest(services.records, caller, route, key, input, idAnswer)
  if ((await keyed.earlier()) !== undefined) return
  try {
    await store((comment) => [keyed.claim(comment.id)])
  } catch (error) {
    // An equal request may have been faster and be the cause of the refusal.
    if (!(error instanceof TransactionRefused || error instanceof Fault) || (await keyed.earlier()) === undefined)
      throw error
  }
}

/** Who writes: as a user, whose roles do not matter here. */
export const identity = ({ tenant, userId, name, impersonatorId }: Caller) => ({
  tenant,
  userId,
  name,
  ...(impersonatorId !== undefined && { impersonatorId }),
})
