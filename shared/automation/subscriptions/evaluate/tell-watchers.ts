import { namesOf } from '../../../accounts/people/user.ts'
import { maxToldOfChange } from '../../../kernel/limits/messages.ts'
import { permittedFields } from '../../../kernel/permissions.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Notice } from '../../../messages/bell/bell-row.ts'
import { notifyPeople } from '../../../messages/notifications/notify-people.ts'
import type { ChangeEvent } from '../../../platform/queue/change-feed/change-event.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { FieldChange } from '../../../platform/trail/trail-event.ts'
import { watcherIds } from '../../../records/comments/watchers/watchers-of.ts'
import { describeChanges, usersIn } from '../../../records/history/describe-changes.ts'
import { readLivingRecord, type StoredRecord } from '../../../records/records/record-item.ts'
import { typeOfField } from '../../../tables/field-types/read-field.ts'
import { nameRecord } from './payload-of.ts'
import { readersAmong } from './readers-among.ts'
import type { SubscribedChange } from './subscribed-change.ts'
import type { TellUsersDependencies } from './tell-users.ts'

/** The ids of those who watch a record and did not make the change themselves. */
export async function toldWatchers(
  store: Pick<Store, 'get' | 'getMany'>,
  tenant: Tenant,
  { table, item, changes }: SubscribedChange,
  { actor, impersonator }: Pick<ChangeEvent, 'actor' | 'impersonator'>,
): Promise<number[]> {
  const record = readLivingRecord(item, table) as StoredRecord
  const watching = await watcherIds(store, tenant, table, record, usersIn(table, changes))
  return watching.filter((id) => id !== actor && id !== impersonator).slice(0, maxToldOfChange)
}

/**
 * Tells some of those who watch a record that its state or its people changed, that it was deleted, or that it came back:
 * once, where each of them wants it. Who may not read the record or what changed is not told.
 */
export async function tellWatchers(
  services: TellUsersDependencies,
  tenant: Tenant,
  change: SubscribedChange,
  { actor, source }: Pick<ChangeEvent, 'actor' | 'source'>,
  userIds: readonly number[],
): Promise<void> {
  const { table, changes, event } = change
  const [readers, names] = await Promise.all([
    readersAmong(services, tenant, change, userIds),
    namesOf(services.store, tenant, [actor, ...usersIn(table, changes)]),
  ])
  const notices: Notice[] = []
  for (const viewer of readers) {
    const readable = permittedFields(viewer, table.name, 'read')
    const told = toldChanges(change, readable)
    if (event === 'update' && told === undefined) continue
    const what = { action: event, changes: told ?? {}, ...(source !== null && { source }) }
    notices.push(noticeFor(change, viewer.userId, describeChanges(table, what, names), names.get(actor), readable))
  }
  await notifyPeople(services, tenant, notices)
}

/** What a person is notified of an update, states and people first; undefined when field rules hide all of these. */
function toldChanges(
  { table, changes }: SubscribedChange,
  readable: ReadonlySet<string> | undefined,
): Record<string, FieldChange> | undefined {
  const visible = Object.entries(changes).filter(([name]) => readable?.has(name) ?? true)
  const isWatched = ([name]: readonly [string, FieldChange]): boolean => {
    const field = table.fieldsByName.get(name)
    return field !== undefined && typeOfField(field).isWatched === true
  }
  const watched = visible.filter(isWatched)
  if (watched.length === 0) return undefined
  return Object.fromEntries([...watched, ...visible.filter((one) => !isWatched(one))])
}

const noticeFor = (
  { table, id, version, at, record, isOfMessage }: SubscribedChange,
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
  ...(isOfMessage && { answers: 'record' }),
})
