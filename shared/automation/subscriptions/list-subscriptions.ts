import { NotFound } from '../../kernel/faults.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { PageQuery } from '../../platform/http/paging/page-query.ts'
import { pageOfWholeList } from '../../platform/http/paging/whole-list.ts'
import type { Page } from '../../platform/http/routing/envelope.ts'
import type { Config } from '../../platform/store/config.ts'
import { type CheckDependencies, problemOf } from './check-subscription.ts'
import type { SubscriptionAnswer } from './schema.ts'
import { describeSubscription, subscriptionOf, subscriptionRowName } from './subscription.ts'

type Dependencies = CheckDependencies & { readonly config: Pick<Config, 'get' | 'list'> }

/** The subscriptions, newest first, each with its problem. */
export async function listSubscriptions(
  deps: Dependencies,
  tenant: Tenant,
  query: PageQuery,
): Promise<Page<SubscriptionAnswer>> {
  const all = (await deps.config.list(tenant, 'SUBSCRIPTION', subscriptionOf)).toReversed()
  const page = pageOfWholeList('subscriptions', all, query)
  const items = await Promise.all(
    page.items.map(async (one) => describeSubscription(one, await problemOf(deps, tenant, one))),
  )
  return { ...page, items }
}

/** Throws NotFound when there is no such subscription. */
export async function findSubscription(deps: Dependencies, tenant: Tenant, id: number): Promise<SubscriptionAnswer> {
  const one = await deps.config.get(tenant, 'SUBSCRIPTION', subscriptionRowName(id), subscriptionOf)
  if (!one) throw new NotFound('subscription', { id })
  return describeSubscription(one, await problemOf(deps, tenant, one))
}
