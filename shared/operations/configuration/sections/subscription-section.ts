import { findPeople } from '../../../accounts/people/lookup/find-people.ts'
import { findUser } from '../../../accounts/people/user.ts'
import {
  checkSubscription,
  namesNow,
  type SubscribableNames,
  subscriptionWarnings,
} from '../../../automation/subscriptions/check-subscription.ts'
import type { SubscriptionInput } from '../../../automation/subscriptions/schema.ts'
import type { Subscription } from '../../../automation/subscriptions/subscription.ts'
import { type SubscriptionDependencies, subscriptions } from '../../../automation/subscriptions/subscriptions.ts'
import type { Tenant, TenantRef } from '../../../kernel/tenancy.ts'
import { channelOf } from '../../../messages/channels/channel.ts'
import { placeholdersByCode } from '../../../messages/notification-templates/placeholders-by-code.ts'
import type { Tables } from '../../../tables/tables/read-tables.ts'
import type { ConfigurationDocument, SubscriptionConfiguration } from '../schema.ts'
import { objectSection } from './object-section.ts'
import type { Section } from './section.ts'
import { namesAdded, tablesToBe } from './tables-to-be.ts'

/** The subscriptions of a configuration, by name; channels by name and users by address. */
export function subscriptionSection(
  services: SubscriptionDependencies & { readonly tables: Pick<Tables, 'find' | 'all'> },
): Section<SubscriptionConfiguration> {
  const { store, config, tables } = services
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
    services,
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
      openCheck({ tenant }, _existing, whole) {
        const names = namesToBe(tenant, whole)
        return Promise.resolve(async (one, _index, warn) => {
          const {
            table,
            fields = null,
            filter = null,
            channel = null,
            users = null,
            roles = null,
            template = null,
          } = one
          for (const warning of await subscriptionWarnings(names, one)) warn(warning)
          return checkSubscription(names, { table, fields, filter, channel, users, roles, template }, 'channel')
        })
      },
    },
  )

  /** What exists, or will once the document is applied. */
  function namesToBe(tenant: Tenant, whole: ConfigurationDocument): SubscribableNames {
    const { find, names } = tablesToBe(tables, tenant, whole)
    const added = namesAdded(whole)
    return {
      ...namesNow(services, tenant),
      findTable: find,
      tables: names,
      channels: async () => [...(await channelsOf(tenant)), ...(whole.channels ?? [])],
      roles: async () => [...(await config.listFresh(tenant, 'ROLE')).map(({ name }) => name), ...added.roles],
      templates: async () => new Map([...(await placeholdersByCode(config, tenant)), ...added.templates]),
    }
  }
}

const orNull = <T>(list: readonly T[]): T[] | null => (list.length > 0 ? [...list] : null)
