import { findPeople, findUsersWithRole, namesOf, viewerOfUser } from '../../auth/service.ts'
import type { Notice } from '../../bell/service.ts'
import type { Clock } from '../../kernel/clock.ts'
import { maxToldOfChange } from '../../kernel/limits/messages.ts'
import { mayOnTable, permittedFields } from '../../kernel/permissions.ts'
import type { Viewer } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { notifyPeople } from '../../notifications/service.ts'
import type { RowAccess } from '../../row-rules/service.ts'
import type { Store } from '../../store/store.ts'
import type { Subscription } from '../subscription.ts'
import { type MailDependencies, mailUsers } from './mail-users.ts'
import { nameRecord } from './name-record.ts'
import type { SubscribedChange } from './subscribed-change.ts'

export interface TellUsersDependencies extends MailDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly access: Pick<RowAccess, 'permitted'>
}

/**
 * Tells a change, once, to the people of a subscription who may read the record: by mail when it has a template, else
 * where they want to be told.
 */
export async function tellUsers(
  deps: TellUsersDependencies,
  tenant: Tenant,
  subscription: Subscription,
  change: SubscribedChange,
): Promise<void> {
  const { store, access } = deps
  const { table, item, actorId } = change
  const readers: Viewer[] = []
  for (const viewer of await viewersOf(deps, tenant, subscription)) {
    if (!mayOnTable(viewer, table.name, 'read')) continue
    const [permitted] = await access.permitted(viewer, table.name, 'read', [item])
    if (permitted) readers.push(viewer)
  }
  if (readers.length === 0) return
  const actor = (await namesOf(store, tenant, [actorId])).get(actorId)
  if (subscription.template !== null)
    return mailUsers(deps, tenant, { ...subscription, template: subscription.template }, change, readers, actor)
  await notifyPeople(
    deps,
    tenant,
    readers.map((viewer) => noticeFor(viewer, subscription, change, actor)),
  )
}

/** The active people of a subscription, each once. */
async function viewersOf(
  { store, config }: TellUsersDependencies,
  tenant: Tenant,
  { users, roles }: Subscription,
): Promise<Viewer[]> {
  const [named, withRole] = await Promise.all([
    users ? findPeople(store, tenant, { ids: users }, { searchesEmail: false }) : [],
    roles ? findUsersWithRole(store, tenant, roles, maxToldOfChange) : [],
  ])
  const people = new Map([...named, ...withRole].map((user) => [user.id, user]))
  return Promise.all([...people.values()].slice(0, maxToldOfChange).map((user) => viewerOfUser(config, tenant, user)))
}

const happened = { create: 'was created', update: 'was changed', delete: 'was deleted' } as const

/** What a person reads: only fields that field rules leave. */
function noticeFor(
  viewer: Viewer,
  subscription: Subscription,
  { event, table, id, version, at, changes, record }: SubscribedChange,
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
  }
}
