import { findUser } from '../../../accounts/people/user.ts'
import { log } from '../../../kernel/runtime/log.ts'
import { publicTable } from '../../../kernel/table-names.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { nameUuid } from '../../../kernel/text/name-uuid.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { findEnabledChannel } from '../../../messages/channels/list-channels.ts'
import { storeIntent } from '../../../messages/deliveries/expand/store-intent.ts'
import { prepareIntent } from '../../../messages/deliveries/expand/write-intent.ts'
import { placeOf } from '../../../messages/notifications/message-of.ts'
import type { Config } from '../../../platform/store/config.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Subscription } from '../subscription.ts'
import { payloadOf } from './payload-of.ts'
import type { SubscribedChange } from './subscribed-change.ts'

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
