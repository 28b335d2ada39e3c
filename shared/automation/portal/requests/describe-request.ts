import type { Caller } from '../../../kernel/principal.ts'
import type { PortalDependencies } from '../dependencies.ts'
import type { PortalRequestAnswer, PortalRequestHead } from '../schema.ts'
import { readConversation } from './conversation.ts'
import type { OpenedRequest } from './open-request.ts'
import { ratingOf } from './rating.ts'
import { mayReopen } from './reopen-request.ts'
import { describeFields, numberOf, stateText, titleOf } from './shown-record.ts'
import { describeAdded } from './watchers.ts'

/** A request as its list shows it. */
export function describeHead({
  request,
  table,
  record,
  item,
  state,
  isClosed,
  isOwn,
}: OpenedRequest): PortalRequestHead {
  return {
    id: request.id,
    number: numberOf(table, item, record),
    title: titleOf(table, item, record),
    item: item ? { id: item.id, name: item.name, icon: item.icon } : null,
    state: stateText(state, item, record),
    is_closed: isClosed,
    is_own: isOwn,
    created_at: request.createdAt,
  }
}

/** A request with all that whoever sent it or follows it may know, and nothing else. */
export async function describeRequest(
  services: PortalDependencies,
  caller: Caller,
  opened: OpenedRequest,
): Promise<PortalRequestAnswer> {
  const { table, record, item } = opened
  const [conversation, fields, rating, watchers] = await Promise.all([
    readConversation(services, caller, opened),
    describeFields(services, caller, table, item, record),
    ratingOf(services, caller, opened),
    describeAdded(services, caller, opened),
  ])
  return {
    ...describeHead(opened),
    promised_at: null,
    actions: actionsOf(opened),
    fields,
    watchers,
    rating,
    ...conversation,
  }
}

/** What whoever reads the request may do with it now. */
function actionsOf(opened: OpenedRequest): PortalRequestAnswer['actions'] {
  const { isClosed, isOwn } = opened
  return [
    'comment' as const,
    ...(isOwn ? ['add_watchers' as const] : []),
    ...(mayReopen(opened) ? ['reopen' as const] : []),
    ...(isClosed && isOwn ? ['rate' as const] : []),
  ]
}
