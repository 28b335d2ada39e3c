import { userOfAddress } from '../../../accounts/people/lookup/user-of-address.ts'
import { namesOf } from '../../../accounts/people/user.ts'
import { byName } from '../../../kernel/collections/own-members.ts'
import { type FieldErrors, Invalid, NotFound } from '../../../kernel/failures/faults.ts'
import { say } from '../../../kernel/failures/sentence.ts'
import { mayOnTable } from '../../../kernel/permissions.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { discussionKey } from '../../../platform/store/keys/comments.ts'
import { readAdded } from '../../../records/comments/rows/discussion-row.ts'
import { addFollowers, removeFollowers } from '../../../records/comments/watchers/change-watchers.ts'
import { actingFor, type PortalDependencies } from '../dependencies.ts'
import type { AddWatchers, PortalPerson } from '../schema.ts'
import { viewersOf } from '../viewers-of.ts'
import { type OpenedRequest, openRequest } from './open-request.ts'

/**
 * Adds people of the company, by id or by mail address, who then see the request and are notified of answers. Only who
 * sent a request may add people. Throws NotFound and Invalid.
 */
export async function addToRequest(
  services: PortalDependencies,
  caller: Caller,
  id: number,
  { user_ids = [], emails = [] }: AddWatchers,
): Promise<void> {
  const { request, isOwn } = await openRequest(services, caller, id)
  if (!isOwn) throw new NotFound('portal_request', { id })
  const { store } = services.records
  const errors: FieldErrors = byName()
  const found: number[] = [...user_ids]
  for (const [index, email] of emails.entries()) {
    const userId = await userOfAddress(store, caller.tenant, email)
    if (userId === undefined) errors[`emails.${index}`] = [say('nobody_with_address', { email })]
    else found.push(userId)
  }
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
  await addFollowers(
    services.comments,
    actingFor(caller),
    { model: request.model, id: request.recordId },
    { user_ids: [...new Set(found)] },
  )
}

/**
 * Takes somebody from a request: whoever sent it those who were added, who was added nobody but themselves. Throws NotFound.
 */
export async function removeFromRequest(
  services: PortalDependencies,
  caller: Caller,
  id: number,
  userId: number,
): Promise<void> {
  const opened = await openRequest(services, caller, id)
  const { request, isOwn } = opened
  const isSelf = userId === caller.userId
  if (!isOwn && !isSelf) throw new NotFound('portal_request', { id })
  if (isOwn && !(await describeAdded(services, caller, opened)).some((one) => one.id === userId))
    throw new NotFound(
      'user',
      { id: userId },
      isSelf
        ? 'You sent this request, so it stays yours. Remove people who were added to it.'
        : 'Nobody with this id was added to this request.',
    )
  await removeFollowers(
    services.comments,
    actingFor(caller),
    { model: request.model, id: request.recordId },
    { user_ids: [userId] },
  )
}

/** Who was added to a request and sees it only here: people with rights on its table are none of the requester's business. */
export async function describeAdded(
  { records: { store }, config }: PortalDependencies,
  { tenant }: Caller,
  { request: { model, recordId } }: OpenedRequest,
): Promise<PortalPerson[]> {
  const added = readAdded(await store.get(tenant, discussionKey(tenant, model, recordId)))
  if (added.length === 0) return []
  const viewers = await viewersOf({ store, config }, tenant, added)
  const shown = viewers.filter((viewer) => !mayOnTable(viewer, model, 'read')).map(({ userId }) => userId)
  const names = await namesOf(store, tenant, shown)
  return shown.map((id) => ({ id, name: names.get(id) ?? 'Unknown user' }))
}
