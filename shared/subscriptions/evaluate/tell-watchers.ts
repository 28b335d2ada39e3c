import { findPeople, namesOf, viewerOfUser } from '../../auth/service.ts'
import type { Notice } from '../../bell/service.ts'
import { watcherIds } from '../../comments/service.ts'
import { describeChanges, usersIn } from '../../history/service.ts'
import { maxToldOfChange } from '../../kernel/limits/messages.ts'
import { mayOnTable, permittedFields } from '../../kernel/permissions.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { notifyPeople } from '../../notifications/service.ts'
import type { ChangeEvent } from '../../queue/change-feed/change-event.ts'
import { readLivingRecord, type StoredRecord } from '../../records/service.ts'
import type { FieldChange } from '../../trail/service.ts'
import { nameRecord } from './name-record.ts'
import type { SubscribedChange } from './subscribed-change.ts'
import type { TellUsersDependencies } from './tell-users.ts'

/**
 * Tells those who watch a record that its state or its people changed, that it was deleted, or that it came back: once,
 * where each of them wants it. Neither whoever did it is told, nor who may not read the record or what changed.
 */
export async function tellWatchers(
  deps: TellUsersDependencies,
  tenant: Tenant,
  change: SubscribedChange,
  { actor, impersonator, source }: Pick<ChangeEvent, 'actor' | 'impersonator' | 'source'>,
): Promise<void> {
  const { store, config, access } = deps
  const { table, item, changes, event } = change
  const users = usersIn(table, changes)
  const watching = await watcherIds(store, tenant, table, readLivingRecord(item) as StoredRecord, users)
  const ids = watching.filter((id) => id !== actor && id !== impersonator).slice(0, maxToldOfChange)
  if (ids.length === 0) return
  const [people, names] = await Promise.all([
    findPeople(store, tenant, { ids }, { searchesEmail: false }),
    namesOf(store, tenant, [actor, ...users]),
  ])
  const notices: Notice[] = []
  for (const user of people) {
    const viewer = await viewerOfUser(config, tenant, user)
    if (!mayOnTable(viewer, table.name, 'read')) continue
    const [permitted] = await access.permitted(viewer, table.name, 'read', [item])
    if (!permitted) continue
    const readable = permittedFields(viewer, table.name, 'read')
    const told = toldChanges(change, readable)
    if (event === 'update' && told === undefined) continue
    const what = { action: event, changes: told ?? {}, ...(source !== null && { source }) }
    notices.push(noticeFor(change, user.id, describeChanges(table, what, names), names.get(actor), readable))
  }
  await notifyPeople(deps, tenant, notices)
}

/** What a person is told of an update, states and people first; undefined when field rules hide all of these. */
function toldChanges(
  { table, changes }: SubscribedChange,
  readable: ReadonlySet<string> | undefined,
): Record<string, FieldChange> | undefined {
  const visible = Object.entries(changes).filter(([name]) => readable?.has(name) ?? true)
  const isWatched = ([name]: readonly [string, FieldChange]): boolean => {
    const type = table.fieldsByName.get(name)?.type
    return type === 'state_model' || type === 'user'
  }
  const watched = visible.filter(isWatched)
  if (watched.length === 0) return undefined
  return Object.fromEntries([...watched, ...visible.filter((one) => !isWatched(one))])
}

const noticeFor = (
  { table, id, version, at, record }: SubscribedChange,
  userId: number,
  happened: string,
  actorName: string | undefined,
  readable: ReadonlySet<string> | undefined,
): Notice => ({
  key: `change ${table.name} ${id} ${version}`,
  userId,
  title: nameRecord(table, record, readable),
  text: `${actorName === undefined ? '' : `${actorName}: `}${happened}.`,
  url: null,
  category: 'change',
  createdAtMs: Date.parse(at),
  model: table.name,
  recordId: id,
})
