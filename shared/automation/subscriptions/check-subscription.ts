import { findPeople, roleOf } from '../../accounts/service.ts'
import type { FieldErrors } from '../../kernel/failures/faults.ts'
import { maxSubscriptionFilterBytes } from '../../kernel/limits/messages.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { didYouMean } from '../../kernel/text/did-you-mean.ts'
import { checkFilter } from '../../lists/query/service.ts'
import { channelOf, findEnabledChannel, resolveChannel, typesWithContent } from '../../messages/channels/service.ts'
import { findTemplate } from '../../messages/notification-templates/service.ts'
import type { Config } from '../../platform/store/config.ts'
import type { Store } from '../../platform/store/store.ts'
import { ErrorList, type Table, type Tables } from '../../tables/tables/service.ts'
import type { Subscription } from './subscription.ts'

export interface CheckDependencies {
  readonly store: Pick<Store, 'get' | 'getMany' | 'query'>
  readonly config: Pick<Config, 'get' | 'list'>
  readonly tables: Pick<Tables, 'find' | 'all'>
}

/** Types of channels that carry data to a program. The others need recipients. */
const toPrograms = typesWithContent('json')

type FindTable = (name: string) => Promise<Table | undefined>
type Checked = Omit<Subscription, 'id' | 'name' | 'version' | 'isActive' | 'events'>

/** The errors of a subscription against the current tables, channels, roles and users, by path. */
export async function checkSubscription(deps: CheckDependencies, tenant: Tenant, one: Checked): Promise<FieldErrors> {
  const list = new ErrorList()
  checkReceiver(one, list)
  const tableNames = async () => (await deps.tables.all(tenant)).map(({ name }) => name)
  await checkRecords((name) => deps.tables.find(tenant, name), tableNames, one, list)
  await checkChannel(deps, tenant, one.channelId, list)
  await checkUsers(deps, tenant, one.users, list)
  await checkRoles(deps, tenant, one.roles, list)
  await checkTemplate(deps, tenant, one.template, list)
  return list.errors
}

/** Adds the errors of table, fields and filter. */
export async function checkRecords(
  find: FindTable,
  tableNames: () => Promise<readonly string[]>,
  { table: name, fields, filter }: Pick<Checked, 'table' | 'fields' | 'filter'>,
  list: ErrorList,
  path = '',
): Promise<void> {
  const table = await find(name)
  if (!table) return list.add(`${path}table`, `There is no table ${name}.${didYouMean(name, await tableNames())}`)
  for (const field of fields ?? [])
    if (!table.fieldsByName.has(field)) list.add(`${path}fields`, unknownField(field, table))
  await checkSmallFilter(find, table, filter, list, `${path}filter`)
}

/**
 * Why nothing, or not everybody, is notified: the errors that have come up since it was saved, and a channel that sends
 * nothing. Null when all is well.
 */
export async function problemOf(deps: CheckDependencies, tenant: Tenant, one: Checked): Promise<string | null> {
  const errors = Object.entries(await checkSubscription(deps, tenant, one)).flatMap(([path, messages]) => {
    const [member = '', index = ''] = path.split('.')
    const subject =
      member === 'roles' ? one.roles?.[Number(index)] : member === 'users' ? one.users?.[Number(index)] : ''
    return messages.map((message) => (subject ? `${member} ${subject}: ${message}` : message))
  })
  if (errors.length > 0) return errors.join(' ')
  const { config } = deps
  if (one.channelId !== null)
    return (await findEnabledChannel({ config }, tenant, { id: one.channelId, type: 'webhook' })).problem ?? null
  const mails = one.template === null ? undefined : await resolveChannel({ config }, tenant, ['email'], null)
  return mails && 'problem' in mails ? `No mail can be sent: ${mails.problem}` : null
}

function checkReceiver({ channelId, users, roles, template }: Checked, list: ErrorList): void {
  if (channelId === null && users === null && roles === null)
    list.add('channel_id', 'Say who is notified: a channel_id, or users, or roles.')
  if (channelId !== null && (users !== null || roles !== null))
    list.add('channel_id', 'Either a channel is notified, or users and roles: make two subscriptions for both.')
  if (channelId !== null && template !== null)
    list.add('template', 'A template is for mails to users and roles: a channel receives the change as it is.')
}

async function checkTemplate(
  { config }: CheckDependencies,
  tenant: Tenant,
  template: string | null,
  list: ErrorList,
): Promise<void> {
  if (template !== null && !(await findTemplate({ config }, tenant, template)))
    list.add(
      'template',
      `There is no notification template ${template}.${didYouMean(template, await config.list(tenant, 'NOTIFICATION_CODE', ({ name }) => name))}`,
    )
}

async function checkChannel(
  { config }: CheckDependencies,
  tenant: Tenant,
  channelId: number | null,
  list: ErrorList,
): Promise<void> {
  if (channelId === null) return
  const channel = (await config.list(tenant, 'CHANNEL', channelOf)).find(({ id }) => id === channelId)
  if (!channel) list.add('channel_id', `There is no channel ${channelId}.`)
  else if (!toPrograms.includes(channel.type))
    list.add(
      'channel_id',
      `A channel of type ${channel.type} needs recipients. Name a channel of type ${toPrograms.join(', ')}, or users or roles.`,
    )
}

async function checkRoles(
  { config }: CheckDependencies,
  tenant: Tenant,
  roles: Subscription['roles'],
  list: ErrorList,
): Promise<void> {
  if (roles === null) return
  const known = (await config.list(tenant, 'ROLE', roleOf)).map(({ name }) => name)
  for (const [index, role] of roles.entries()) {
    if (known.includes(role)) continue
    list.add(`roles.${index}`, `There is no such role.${didYouMean(role, known)}`)
  }
}

async function checkUsers(
  { store }: CheckDependencies,
  tenant: Tenant,
  users: Subscription['users'],
  list: ErrorList,
): Promise<void> {
  if (users === null) return
  const active = new Set(
    (await findPeople(store, tenant, { ids: users }, { searchesEmail: false })).map(({ id }) => id),
  )
  for (const [index, id] of users.entries())
    if (!active.has(id)) list.add(`users.${index}`, 'There is no active user with this id.')
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
