import type { RowAccess } from '../../../accounts/access/row-access.ts'
import { findUsersWithRole } from '../../../accounts/people/list-users.ts'
import { findUser } from '../../../accounts/people/user.ts'
import { maxToldOfChange } from '../../../kernel/limits/messages.ts'
import { permittedFields } from '../../../kernel/permissions.ts'
import type { Viewer } from '../../../kernel/principal.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import type { Notice } from '../../../messages/bell/bell-row.ts'
import { type NoticeReaders, notifyPeople } from '../../../messages/notifications/notify-people.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Subscription } from '../subscription.ts'
import { type MailDependencies, mailUsers } from './mail-users.ts'
import { nameRecord } from './payload-of.ts'
import { readersAmong } from './readers-among.ts'
import type { SubscribedChange } from './subscribed-change.ts'

export interface TellUsersDependencies extends MailDependencies, NoticeReaders {
  readonly store: Store
  readonly clock: Clock
  readonly access: Pick<RowAccess, 'permitted'>
}

/**
 * Tells a change, once, to those of some people of a subscription who may read the record: by mail when it has a template,
 * else where they want to be told. `again`: an earlier attempt may have told some.
 */
export async function tellUsers(
  services: TellUsersDependencies,
  tenant: Tenant,
  subscription: Subscription,
  change: SubscribedChange,
  userIds: readonly number[],
  again = false,
): Promise<void> {
  const { actorId } = change
  const readers = await readersAmong(services, tenant, change, userIds)
  if (readers.length === 0) return
  const actor = await findUser(services.store, tenant, actorId)
  const { template } = subscription
  if (template !== null)
    return mailUsers(services, tenant, { ...subscription, template }, change, readers, actor, { again })
  await notifyPeople(
    services,
    tenant,
    readers.map((viewer) => noticeFor(viewer, subscription, change, actor?.name)),
  )
}

/** The ids of those whom a subscription tells, each once: the named ones first. */
export async function subscribedUsers(
  store: Pick<Store, 'query'>,
  tenant: Tenant,
  { users, roles }: Pick<Subscription, 'users' | 'roles'>,
): Promise<number[]> {
  const withRole = roles ? await findUsersWithRole(store, tenant, roles, maxToldOfChange) : []
  return [...new Set([...(users ?? []), ...withRole.map(({ id }) => id)])].slice(0, maxToldOfChange)
}

const happened = { create: 'was created', update: 'was changed', delete: 'was deleted' } as const

/** What a person reads: only fields that field rules leave. */
function noticeFor(
  viewer: Viewer,
  subscription: Subscription,
  { event, table, id, version, at, changes, record, isOfMessage }: SubscribedChange,
  actor: string | undefined,
): Notice {
  const readable = permittedFields(viewer, table.name, 'read')
  const mayRead = (name: string): boolean => readable?.has(name) ?? true
  const changed =
    event === 'update'
      ? Object.keys(changes)
          .filter(mayRead)
          .map((name) => table.fieldsByName.get(name)?.label ?? name)
      : []
  return {
    key: `subscription ${subscription.id} ${table.name} ${id} ${version}`,
    userId: viewer.userId,
    title: subscription.name,
    text: [
      nameRecord(table, record, readable),
      ` ${happened[event]}`,
      ...(actor === undefined ? [] : [` by ${actor}`]),
      changed.length > 0 ? `: ${changed.join(', ')}.` : '.',
    ].join(''),
    url: null,
    category: 'subscription',
    createdAtMs: Date.parse(at),
    model: table.name,
    recordId: id,
    ...(isOfMessage && { answers: 'record' }),
  }
}
