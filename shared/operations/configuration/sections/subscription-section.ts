import { findPeople, findUser, roleOf } from '../../../accounts/service.ts'
import type { SubscriptionInput } from '../../../automation/subscriptions/schema.ts'
import {
  checkRecords,
  type Subscription,
  type SubscriptionDependencies,
  subscriptions,
} from '../../../automation/subscriptions/service.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { didYouMean } from '../../../kernel/text/did-you-mean.ts'
import { channelOf } from '../../../messages/channels/service.ts'
import { headOf } from '../../../messages/notification-templates/service.ts'
import { ErrorList, type Tables } from '../../../tables/tables/service.ts'
import type { ConfigurationDocument, SubscriptionConfiguration } from '../schema.ts'
import { objectSection } from './object-section.ts'
import type { Section } from './section.ts'
import { tablesToBe } from './tables-to-be.ts'

/** The subscriptions of a configuration, by name; channels by name and users by address. */
export function subscriptionSection(
  deps: SubscriptionDependencies & { readonly tables: Pick<Tables, 'find' | 'all'> },
): Section<SubscriptionConfiguration> {
  const { store, config, tables } = deps
  const channelsOf = async (tenant: TenantRef) => (await config.listFresh(tenant, 'CHANNEL')).map(channelOf)
  const userWithEmail = async (tenant: TenantRef, email: string) =>
    (await findPeople(store, tenant, { email: email.toLowerCase() }, { searchesEmail: true }))[0]?.id

  /** The document with ids, for the administration of subscriptions. */
  async function inputOf(document: SubscriptionConfiguration, tenant: TenantRef): Promise<SubscriptionInput> {
    const { channel, users, ...same } = document
    const ids = users && (await Promise.all(users.map((email) => userWithEmail(tenant, email))))
    return {
      ...same,
      channel_id: channel ? (await channelsOf(tenant)).find(({ name }) => name === channel)?.id : null,
      users: ids ? ids.filter((id) => id !== undefined) : null,
    }
  }

  return objectSection<Subscription, SubscriptionConfiguration, SubscriptionInput, SubscriptionDependencies>(
    subscriptions,
    deps,
    {
      inputOf,
      async documentsOf(tenant, all) {
        const channels = await channelsOf(tenant)
        return Promise.all(
          all.map(async (one) => {
            const users = one.users && (await Promise.all(one.users.map((id) => findUser(store, tenant, id))))
            return {
              name: one.name,
              table: one.table,
              events: [...one.events],
              filter: one.filter,
              fields: one.fields && [...one.fields],
              channel: channels.find(({ id }) => id === one.channelId)?.name ?? null,
              // An erased user has no address.
              users: users && orNull(users.flatMap((user) => user?.email ?? [])),
              roles: one.roles && [...one.roles],
              template: one.template,
              is_active: one.isActive,
            }
          }),
        )
      },
      complete: ({ name, table, events, filter, fields, channel, users, roles, template, is_active }, before) => ({
        name,
        table,
        events,
        filter: filter ?? null,
        fields: fields ?? null,
        channel: channel ?? null,
        users: users ?? null,
        roles: roles ?? null,
        template: template ?? null,
        is_active: is_active ?? before?.is_active ?? true,
      }),
      async openCheck({ tenant }, _existing, whole) {
        const { find, names: tableNames } = tablesToBe(tables, tenant, whole)
        const named = await namesIn(tenant, whole)
        return async ({ table, fields = null, filter = null, channel, users, roles, template }) => {
          const list = new ErrorList()
          await checkRecords(find, tableNames, { table, fields, filter }, list)
          if (!channel && !users && !roles) list.add('channel', 'Say who is notified: a channel, or users, or roles.')
          if (channel && (users || roles || template))
            list.add('channel', 'A channel is notified alone, without users, roles and template.')
          if (channel && !named.channels.has(channel))
            list.add('channel', `There is no channel ${channel}.${didYouMean(channel, named.channels)}`)
          if (template && !named.templates.has(template))
            list.add(
              'template',
              `There is no notification template ${template}.${didYouMean(template, named.templates)}`,
            )
          for (const role of roles ?? [])
            if (!named.roles.has(role)) list.add('roles', `There is no role ${role}.${didYouMean(role, named.roles)}`)
          for (const email of users ?? [])
            if ((await userWithEmail(tenant, email)) === undefined)
              list.add('users', `There is no active user ${email}.`)
          return list.errors
        }
      },
    },
  )

  /** What exists, or will once the document is applied. */
  async function namesIn(tenant: TenantRef, whole: ConfigurationDocument) {
    const [channels, roles, templates] = await Promise.all([
      channelsOf(tenant),
      config.listFresh(tenant, 'ROLE'),
      config.listFresh(tenant, 'NOTIFICATION_CODE'),
    ])
    const all = (existing: readonly string[], given: readonly { readonly name: string }[] = []) =>
      new Set([...existing, ...given.map(({ name }) => name)])
    return {
      channels: all(
        channels.map(({ name }) => name),
        whole.channels,
      ),
      roles: all(
        roles.map(roleOf).map(({ name }) => name),
        whole.roles,
      ),
      templates: all(
        templates.map(headOf).map(({ code }) => code),
        whole.templates,
      ),
    }
  }
}

const orNull = <T>(list: readonly T[]): T[] | null => (list.length > 0 ? [...list] : null)
