import { findUser } from '../../../accounts/people/user.ts'
import { log } from '../../../kernel/runtime/log.ts'
import { publicTable } from '../../../kernel/table-names.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { nameUuid } from '../../../kernel/text/name-uuid.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { findEnabledChannel } from '../../../messages/channels/list-channels.ts'
import { prepareIntent, storeIntent } from '../../../messages/deliveries/expand/write-intent.ts'
import { placeOf } from '../../../messages/notifications/message-of.ts'
import type { Config } from '../../../platform/store/config.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Subscription } from '../subscription.ts'
import { divide, type Part, type PartQueue, peoplePerPart, sendParts, type SubscriptionMessage } from './parts.ts'
import { payloadOf } from './payload-of.ts'
import type { SubscribedChange } from './subscribed-change.ts'
import { tellUsers, type TellUsersDependencies } from './tell-users.ts'
import { tellWatchers } from './tell-watchers.ts'

interface Dependencies {
  readonly store: Pick<Store, 'get' | 'write'>
  readonly clock: Pick<Clock, 'now' | 'uuid'>
  readonly config: Pick<Config, 'get' | 'list'>
  readonly putObject: (key: string, body: Uint8Array) => Promise<void>
}

/** Sends a change to the channel of a subscription, once. Nothing is sent through a channel that cannot send. */
export async function tellChannel(
  { store, clock, config, putObject }: Dependencies,
  tenant: Tenant,
  subscription: Subscription,
  channelId: number,
  change: SubscribedChange,
): Promise<void> {
  const { channel, problem } = await findEnabledChannel({ config }, tenant, { id: channelId, type: 'webhook' })
  if (!channel) {
    log.warn('a subscription cannot send', { tenant_id: tenant.id, subscription_id: subscription.id, problem })
    return
  }
  const { event, table, id, version, at, actorId } = change
  const payload = payloadOf(tenant, change, (await findUser(store, tenant, actorId))?.name)
  const intent = prepareIntent(clock, tenant, {
    uuid: intentUuid(tenant, subscription, change),
    channel,
    recipients: [placeOf(channel)],
    content: {
      event: `${publicTable(tenant, table.name)}.${event}`,
      body: JSON.stringify(payload),
      key: `${publicTable(tenant, table.name)}.${id}`,
      change: { version, at },
    },
    source: {
      model: table.name,
      record_id: id,
      record_version: version,
      subscription_id: subscription.id,
      user_id: actorId,
    },
  })
  await storeIntent({ store, putObject }, tenant, intent)
}

/** The same in every repeat, so that a version is sent once. */
const intentUuid = (tenant: Tenant, { id }: Subscription, change: SubscribedChange): string =>
  nameUuid(`subscription ${tenant.id} ${id} ${change.table.name} ${change.id} ${change.version}`)

export type TellPeopleDependencies = TellUsersDependencies & PartQueue

/** People who are notified at the same time. */
const atOnce = 25

/**
 * Tells the people of some parts of a change. More of them than one message may tell get messages of their own; what time
 * does not suffice for is sent as another message, without those who were told.
 */
export async function tellPeople(
  services: TellPeopleDependencies,
  tenant: Tenant,
  message: SubscriptionMessage,
  change: SubscribedChange,
  {
    parts,
    subscriptions,
    timeIsUp,
  }: {
    readonly parts: readonly Part[]
    readonly subscriptions: readonly Subscription[]
    readonly timeIsUp: () => boolean
  },
): Promise<void> {
  if (parts.reduce((sum, { users }) => sum + users.length, 0) > peoplePerPart)
    return sendParts(services, message, parts.flatMap(divide))
  let steps = 0
  for (const [index, part] of parts.entries()) {
    const subscription = subscriptions.find(({ id }) => id === part.subscription)
    for (let start = 0; start < part.users.length; start += atOnce) {
      // At least one step is made, so that the rest is another one than before.
      if (steps++ > 0 && timeIsUp())
        return sendParts(services, message, [{ ...part, users: part.users.slice(start) }, ...parts.slice(index + 1)])
      const some = part.users.slice(start, start + atOnce)
      if (subscription) await tellUsers(services, tenant, subscription, change, some, part.again)
      else if (part.subscription === null) await tellWatchers(services, tenant, change, message, some)
    }
  }
}
