import { lruMap } from '../../kernel/collections/lru-map.ts'
import { TooManyRequests } from '../../kernel/failures/faults.ts'
import { mayFail } from '../../kernel/runtime/log.ts'
import { measure } from '../../kernel/runtime/metrics.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import type { Authenticate } from '../../platform/http/routing/endpoint-group.ts'
import { requestCountKey } from '../../platform/store/keys/auth.ts'
import type { Store } from '../../platform/store/store.ts'

/** Requests are counted in periods of this length: a tenant may send those of a whole period at once. */
const periodMs = 10_000
/** An instance tells the others of a tenant's requests when it had this part of what the tenant may send. */
const toldPart = 50
/** The counts of a period are kept a little longer than it lasts. */
const keptSeconds = 60
const maxTenants = 5_000

/** What an instance knows of the requests of a tenant in the current period. */
interface Count {
  readonly period: number
  /** Had here, and not told yet. */
  untold: number
  /** Told by all instances, as far as this one has heard. */
  told: number
}

/**
 * The same authentication, which refuses the requests of a tenant that sends more than `perSecond` on average over ten
 * seconds, over all instances of all functions; 0: no limit. A tenant that sends little costs no call: an instance tells
 * the others only of every fiftieth part of the limit, so a tenant may exceed it by that much for each instance.
 */
export function limitRequests(
  { store, clock }: { readonly store: Pick<Store, 'update'>; readonly clock: Pick<Clock, 'now'> },
  authenticate: Authenticate,
  perSecond: number,
): Authenticate {
  if (!(perSecond > 0)) return authenticate
  const allowed = (perSecond * periodMs) / 1000
  const counts = lruMap<number, Count>(maxTenants)

  async function tell(tenant: TenantRef, count: Count): Promise<void> {
    const more = count.untold
    count.untold = 0
    const row = await mayFail('count the requests of a tenant', () =>
      store.update(tenant, {
        update: requestCountKey(tenant, count.period),
        change: {
          expression: 'SET #kind = :kind, expires_at = :expires ADD requests :more',
          names: { '#kind': 'kind' },
          values: { ':kind': 'request_count', ':expires': Math.ceil(clock.now() / 1000) + keptSeconds, ':more': more },
        },
      }),
    )
    count.told = Math.max(count.told, Number(row?.requests ?? count.told + more))
  }

  return async (...request) => {
    const authenticated = await authenticate(...request)
    const { tenant } = authenticated.caller
    const now = clock.now()
    const period = Math.floor(now / periodMs)
    let count = counts.get(tenant.id)
    if (count?.period !== period) counts.set(tenant.id, (count = { period, untold: 0, told: 0 }))
    if (count.told + count.untold >= allowed) {
      measure('RateLimited', 1)
      const seconds = Math.ceil(((period + 1) * periodMs - now) / 1000)
      throw new TooManyRequests(seconds, 'requests of your company', 'rate_limited')
    }
    count.untold += 1
    if (count.untold >= allowed / toldPart) await tell(tenant, count)
    return authenticated
  }
}
