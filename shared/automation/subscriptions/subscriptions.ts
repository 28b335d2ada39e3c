import { isoTime } from '../../kernel/time/clock.ts'
import { activeSince } from '../../platform/configured-objects/active-since.ts'
import {
  type AdministrationDependencies,
  configuredObject,
} from '../../platform/configured-objects/configured-object.ts'
import { bindSubscriptions } from '../../tables/tables/administration/bind-consumers.ts'
import { type CheckDependencies, checkStored, namesNow, problemOf, subscriptionWarnings } from './check-subscription.ts'
import type { SubscriptionAnswer, SubscriptionInput } from './schema.ts'
import type { Subscription } from './subscription.ts'

export type SubscriptionDependencies = CheckDependencies & AdministrationDependencies

/** What administrators set of a subscription. */
type SubscriptionMembers = Omit<SubscriptionAnswer, 'id' | 'created_at' | 'updated_at' | 'version' | 'problem'>

/** The subscriptions of a tenant. What a deleted one asked to send before is still sent. */
export const subscriptions = configuredObject<
  Subscription,
  SubscriptionMembers,
  SubscriptionAnswer,
  SubscriptionInput,
  SubscriptionDependencies
>({
  kind: 'SUBSCRIPTION',
  sequence: 'sys_subscriptions',
  called: { one: 'subscription', list: 'subscriptions' },
  members: {
    name: {},
    table: {},
    events: {},
    filter: { unset: null },
    fields: { unset: null },
    channel_id: { stored: 'channelId', unset: null },
    users: { unset: null },
    roles: { unset: null },
    template: { unset: null },
    is_active: { stored: 'isActive', unset: true },
  },
  normalize: (draft) => ({ ...draft, events: [...new Set(draft.events)] }),
  check: (draft, { services, caller }) => checkStored(services, caller.tenant, draft),
  seal: async (one, { services, before }) => ({ ...one, ...activeSince(before, one, isoTime(services.clock.now())) }),
  problemOf,
  warningsOf: (services, tenant, one) => subscriptionWarnings(namesNow(services, tenant), one),
  alsoWrite: ({ services, caller, before }, after) =>
    after && after.table !== before?.table ? bindSubscriptions(services, caller, after.table) : [],
})
