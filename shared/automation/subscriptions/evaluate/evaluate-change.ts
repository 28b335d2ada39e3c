import { findViewer } from '../../../accounts/sessions/authentication.ts'
import { findTenantOfMessage } from '../../../accounts/tenants/find-tenant.ts'
import { Invalid } from '../../../kernel/failures/faults.ts'
import type { Viewer } from '../../../kernel/principal.ts'
import { log } from '../../../kernel/runtime/log.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { rowOf } from '../../../lists/query/read/row.ts'
import type { RowFilter } from '../../../lists/query/row-filter.ts'
import { isActiveFor } from '../../../platform/configured-objects/active-since.ts'
import type { Config } from '../../../platform/store/config.ts'
import type { Tables } from '../../../tables/tables/read-tables.ts'
import { type Subscription, subscriptionOf } from '../subscription.ts'
import type { Part, SubscriptionMessage } from './parts.ts'
import { type ChangeDependencies, readSubscribedChange, type SubscribedChange } from './subscribed-change.ts'
import { tellChannel, tellPeople, type TellPeopleDependencies } from './tell-channel.ts'
import { subscribedUsers } from './tell-users.ts'
import { toldWatchers } from './tell-watchers.ts'

export type EvaluationDependencies = ChangeDependencies &
  TellPeopleDependencies & {
    readonly config: Config
    readonly tables: Pick<Tables, 'find'>
    readonly rowFilter: RowFilter
  }

/**
 * Tells a change of a record to the subscriptions that it matters to, and to those who watch the record where the event
 * says so; many people in several messages. Idempotent: each is notified once of each version, however often the event arrives.
 * A table that nobody subscribes to any more costs the read of the tenant. `again`: the message was delivered before;
 * `timeIsUp`: the rest is left to another message.
 */
export async function evaluateChange(
  services: EvaluationDependencies,
  event: SubscriptionMessage,
  { again = false, timeIsUp = () => false }: { readonly again?: boolean; readonly timeIsUp?: () => boolean } = {},
): Promise<void> {
  const tenant = await findTenantOfMessage(services.store, event.tenant_id)
  if (!tenant) return
  const subscriptions = (await services.config.list(tenant, 'SUBSCRIPTION', subscriptionOf)).filter(
    (one) => isActiveFor(one, event.at) && one.table === event.model && one.events.includes(event.action),
  )
  const table = subscriptions.length > 0 || event.watched ? await services.tables.find(tenant, event.model) : undefined
  if (!table) return
  const change = await readSubscribedChange(services, tenant, table, event)
  const parts = event.part ? [event.part] : await tellDirectly(services, tenant, subscriptions, change, event)
  const marked = again ? parts.map((part) => ({ ...part, again })) : parts
  await tellPeople(services, tenant, event, change, { parts: marked, subscriptions, timeIsUp })
}

/** Tells the channels whose subscriptions the change matters to. Answers the people whom it tells. */
async function tellDirectly(
  services: EvaluationDependencies,
  tenant: Tenant,
  subscriptions: readonly Subscription[],
  change: SubscribedChange,
  event: SubscriptionMessage,
): Promise<Part[]> {
  const parts: Part[] = []
  const hasFilter = subscriptions.some(({ filter }) => filter !== null)
  const actor = (hasFilter && (await findViewer(services, tenant, event.actor))) || {
    tenant,
    userId: event.actor,
    orgUnitIds: [],
  }
  for (const one of subscriptions) {
    if (!touches(one, change) || !(await matches(services, actor, one, change))) continue
    if (one.channelId === null)
      parts.push({ subscription: one.id, users: await subscribedUsers(services.store, tenant, one) })
    else await tellChannel(services, tenant, one, one.channelId, change)
  }
  if (event.watched)
    parts.push({ subscription: null, users: await toldWatchers(services.store, tenant, change, event) })
  return parts
}

/** Whether an update changed one of the fields that the subscription names. */
const touches = ({ fields }: Subscription, { event, changes }: SubscribedChange): boolean =>
  event !== 'update' || fields === null || fields.some((name) => Object.hasOwn(changes, name))

/** Whether the record passes the filter. One that became invalid passes nothing; the subscription shows its problem. */
async function matches(
  services: Pick<EvaluationDependencies, 'rowFilter'>,
  actor: Pick<Viewer, 'tenant' | 'userId' | 'orgUnitIds'>,
  { id, filter }: Subscription,
  { table, item }: SubscribedChange,
): Promise<boolean> {
  if (filter === null) return true
  try {
    const [passed] = await services.rowFilter.filterRows(actor, table, [filter], [rowOf(item, table)])
    return passed !== undefined
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    log.warn('the filter of a subscription is invalid', {
      tenant_id: actor.tenant.id,
      subscription_id: id,
      errors: error.errors,
    })
    return false
  }
}
