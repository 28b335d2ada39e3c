import { findPeople } from '../../accounts/people/lookup/find-people.ts'
import { userOfAddress } from '../../accounts/people/lookup/user-of-address.ts'
import { roleOf } from '../../accounts/roles/role.ts'
import type { FieldErrors } from '../../kernel/failures/faults.ts'
import type { Warning } from '../../kernel/failures/warning.ts'
import { maxSubscriptionFilterBytes } from '../../kernel/limits/messages.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { didYouMean } from '../../kernel/text/did-you-mean.ts'
import { checkFilter } from '../../lists/query/grammar/restrictions.ts'
import { type ChannelType, typesWithContent } from '../../messages/channels/channel-types.ts'
import { channelOf } from '../../messages/channels/channel.ts'
import { findEnabledChannel } from '../../messages/channels/list-channels.ts'
import { resolveChannel } from '../../messages/channels/resolve-channel.ts'
import { missingVariables, placeholdersOf } from '../../messages/notification-templates/placeholders.ts'
import type { NotificationTemplate } from '../../messages/notification-templates/template.ts'
import type { Config } from '../../platform/store/config.ts'
import { readObject } from '../../platform/store/rows/object-row.ts'
import type { Store } from '../../platform/store/store.ts'
import { ErrorList } from '../../tables/tables/error-list.ts'
import type { Tables } from '../../tables/tables/read-tables.ts'
import type { Table } from '../../tables/tables/table.ts'
import { payloadMembers } from './evaluate/payload-of.ts'
import type { Subscription } from './subscription.ts'

export interface CheckDependencies {
  readonly store: Pick<Store, 'get' | 'getMany' | 'query'>
  readonly config: Pick<Config, 'get' | 'list'>
  readonly tables: Pick<Tables, 'find' | 'all'>
}

/** What a subscription may name. A configuration document adds what will exist once it is applied. */
export interface SubscribableNames {
  readonly findTable: FindTable
  readonly tables: () => Promise<readonly string[]>
  readonly channels: () => Promise<
    readonly { readonly id?: number; readonly name: string; readonly type: ChannelType }[]
  >
  readonly roles: () => Promise<readonly string[]>
  /** What each notification template names, by its code. */
  readonly templates: () => Promise<ReadonlyMap<string, readonly string[]>>
  /** Which of these ids or addresses belong to active users. */
  readonly activeUsers: (users: readonly UserRef[]) => Promise<ReadonlySet<UserRef>>
}

/** Types of channels that carry data to a program. The others need recipients. */
const toPrograms = typesWithContent('json')

type FindTable = (name: string) => Promise<Table | undefined>
/** A user by id, or by address in the configuration document. */
type UserRef = number | string
/** A subscription as it is checked. `channel` and `users`: by id, or as the configuration document names them. */
interface Checked extends Pick<Subscription, 'table' | 'fields' | 'filter' | 'roles' | 'template'> {
  readonly channel: number | string | null
  readonly users: readonly UserRef[] | null
}
type Stored = Omit<Subscription, 'id' | 'name' | 'version' | 'isActive' | 'events'>

/** The errors of a stored subscription against the current tables, channels, roles and users, by path. */
export const checkStored = (services: CheckDependencies, tenant: Tenant, one: Stored): Promise<FieldErrors> =>
  checkSubscription(namesNow(services, tenant), { ...one, channel: one.channelId }, 'channel_id')

/** The errors of a subscription by path. `channelPath`: what its channel is called there. */
export async function checkSubscription(
  names: SubscribableNames,
  one: Checked,
  channelPath: 'channel' | 'channel_id',
): Promise<FieldErrors> {
  const list = new ErrorList()
  checkReceiver(one, list, channelPath)
  await checkRecords(names, one, list)
  await checkChannel(names, one.channel, list, channelPath)
  await checkUsers(names, one.users, list)
  await checkRoles(names, one.roles, list)
  await checkTemplate(names, one.template, list)
  return list.problems
}

/** Warnings for values that the template of a subscription names, and mails of changes do not have. */
export async function subscriptionWarnings(
  { findTable, templates }: Pick<SubscribableNames, 'findTable' | 'templates'>,
  { table, template }: { readonly table: string; readonly template?: string | null },
): Promise<Warning[]> {
  if (!template) return []
  const fields = (await findTable(table))?.fieldsByName.keys()
  return missingVariables(template, (await templates()).get(template) ?? [], {
    names: payloadMembers,
    fields: fields && [...fields],
  }).map((warning) => ({ path: 'template', ...warning }))
}

/** What there is now. */
export const namesNow = ({ store, config, tables }: CheckDependencies, tenant: Tenant): SubscribableNames => ({
  findTable: (name) => tables.find(tenant, name),
  tables: async () => (await tables.all(tenant)).map(({ name }) => name),
  channels: () => config.list(tenant, 'CHANNEL', channelOf),
  roles: async () => (await config.list(tenant, 'ROLE', roleOf)).map(({ name }) => name),
  templates: async () =>
    new Map(
      (await config.list(tenant, 'NOTIFICATION_TEMPLATE', readObject<NotificationTemplate>)).map((one) => [
        one.code,
        placeholdersOf(one),
      ]),
    ),
  activeUsers: async (users) => {
    const ids = users.filter((one) => typeof one === 'number')
    const addresses = users.filter((one) => typeof one === 'string')
    const people = ids.length > 0 ? await findPeople(store, tenant, { ids }, { searchesEmail: false }) : []
    const known = await Promise.all(addresses.map((address) => userOfAddress(store, tenant, address)))
    return new Set<UserRef>([...people.map(({ id }) => id), ...addresses.filter((_, at) => known[at] !== undefined)])
  },
})

/** Adds the errors of table, fields and filter. */
async function checkRecords(
  { findTable, tables }: SubscribableNames,
  { table: name, fields, filter }: Pick<Checked, 'table' | 'fields' | 'filter'>,
  list: ErrorList,
): Promise<void> {
  const table = await findTable(name)
  if (!table) return list.add('table', `There is no table ${name}.${didYouMean(name, await tables())}`)
  for (const field of fields ?? []) if (!table.fieldsByName.has(field)) list.add('fields', unknownField(field, table))
  await checkSmallFilter(findTable, table, filter, list, 'filter')
}

/**
 * Why nothing, or not everybody, is notified: the errors that have come up since it was saved, and a channel that sends
 * nothing. Null when all is well.
 */
export async function problemOf(services: CheckDependencies, tenant: Tenant, one: Stored): Promise<string | null> {
  const errors = Object.entries(await checkStored(services, tenant, one)).flatMap(([path, messages]) => {
    const [member = '', index = ''] = path.split('.')
    const subject =
      member === 'roles' ? one.roles?.[Number(index)] : member === 'users' ? one.users?.[Number(index)] : ''
    return messages.map((message) => (subject ? `${member} ${subject}: ${message}` : message))
  })
  if (errors.length > 0) return errors.join(' ')
  const { config } = services
  if (one.channelId !== null)
    return (await findEnabledChannel({ config }, tenant, { id: one.channelId, type: 'webhook' })).problem ?? null
  const mails = one.template === null ? undefined : await resolveChannel({ config }, tenant, ['email'], null)
  return mails && 'problem' in mails ? `No mail can be sent: ${mails.problem}` : null
}

function checkReceiver({ channel, users, roles, template }: Checked, list: ErrorList, path: string): void {
  if (channel === null && users === null && roles === null)
    list.add(path, `Say who is notified: a ${path}, or users, or roles.`)
  if (channel !== null && (users !== null || roles !== null))
    list.add(path, 'Either a channel is notified, or users and roles: make two subscriptions for both.')
  if (channel !== null && template !== null)
    list.add('template', 'A template is for mails to users and roles: a channel receives the change as it is.')
}

async function checkTemplate(names: SubscribableNames, template: string | null, list: ErrorList): Promise<void> {
  if (template === null) return
  const known = await names.templates()
  if (!known.has(template))
    list.add('template', `There is no notification template ${template}.${didYouMean(template, known.keys())}`)
}

async function checkChannel(
  names: SubscribableNames,
  given: number | string | null,
  list: ErrorList,
  path: string,
): Promise<void> {
  if (given === null) return
  const channels = await names.channels()
  const channel = channels.find(({ id, name }) => (typeof given === 'number' ? id === given : name === given))
  if (!channel) {
    const meant = didYouMean(
      String(given),
      channels.map(({ name }) => name),
    )
    list.add(path, `There is no channel ${given}.${typeof given === 'number' ? '' : meant}`)
  } else if (!toPrograms.includes(channel.type))
    list.add(
      path,
      `A channel of type ${channel.type} needs recipients. Name a channel of type ${toPrograms.join(', ')}, or users or roles.`,
    )
}

async function checkRoles(names: SubscribableNames, roles: Subscription['roles'], list: ErrorList): Promise<void> {
  if (roles === null) return
  const known = await names.roles()
  for (const [index, role] of roles.entries()) {
    if (known.includes(role)) continue
    list.add(`roles.${index}`, `There is no role ${role}.${didYouMean(role, known)}`)
  }
}

async function checkUsers(names: SubscribableNames, users: Checked['users'], list: ErrorList): Promise<void> {
  if (users === null) return
  const active = await names.activeUsers(users)
  for (const [index, one] of users.entries())
    if (!active.has(one))
      list.add(
        `users.${index}`,
        typeof one === 'number' ? 'There is no active user with this id.' : `There is no active user ${one}.`,
      )
}

async function checkSmallFilter(
  find: FindTable,
  table: Table,
  filter: Subscription['filter'],
  list: ErrorList,
  path: string,
): Promise<void> {
  if (filter === null) return
  if (Buffer.byteLength(JSON.stringify(filter)) > maxSubscriptionFilterBytes)
    return list.add(path, 'The filter may not be larger than 20 KB.')
  await checkFilter(find, table, filter, list, path)
}

const unknownField = (name: string, table: Table): string =>
  `There is no field ${name} of ${table.name}.${didYouMean(name, table.fieldsByName.keys())}`
