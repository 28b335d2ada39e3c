import { isoTime } from '../../kernel/time/clock.ts'
import {
  activeSince,
  configuredObject,
  type AdministrationDependencies,
} from '../../platform/configured-objects/service.ts'
import { bindSubscriptions } from '../../tables/tables/service.ts'
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
  check: (draft, { deps, caller }) => checkStored(deps, caller.tenant, draft),
  seal: async (one, { deps, before }) => ({ ...one, ...activeSince(before, one, isoTime(deps.clock.now())) }),
  problemOf,
  warningsOf: (deps, tenant, one) => subscriptionWarnings(namesNow(deps, tenant), one),
  alsoWrite: ({ deps, caller, before }, after) =>
    after && after.table !== before?.table ? bindSubscriptions(deps, caller, after.table) : [],
})
