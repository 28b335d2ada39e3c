import type { Caller } from '../../kernel/principal.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { NotModified, type Page, Reply } from '../../platform/http/routing/envelope.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { dayOf } from './bell-row.ts'
import { readBellState } from './bell-state.ts'
import { listNotifications } from './list-notifications.ts'
import type { NotificationAnswer, NotificationQuery } from './schema.ts'

/**
 * A page of the caller's notifications with an `ETag`. A request that has it is answered from the state alone, which was
 * read with the request.
 */
export async function readBell(
  { store, clock }: { readonly store: Pick<Store, 'query'>; readonly clock: Pick<Clock, 'now'> },
  caller: Caller,
  query: NotificationQuery,
  ifNoneMatch: string | undefined,
  known: Item | null | undefined,
): Promise<Reply<Page<NotificationAnswer>> | NotModified> {
  const today = dayOf(clock.now())
  const state = readBellState(known, today)
  // The day, because notifications expire with it. The user, because a client may sign in as somebody else.
  const etag = `"${caller.tenant.id}.${caller.userId}.${state.version}.${today}"`
  return matches(ifNoneMatch, etag)
    ? new NotModified(etag)
    : new Reply(await listNotifications(store, caller, state, query), { etag })
}

/** Whether a list of tags holds this one. A proxy may have weakened it. */
const matches = (header: string | undefined, etag: string): boolean =>
  header !== undefined && header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
