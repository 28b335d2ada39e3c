import type { Clock } from '../../../kernel/clock.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { isNew } from '../../../store/conditions.ts'
import { processEffectKey } from '../../../store/keys/processes.ts'
import { TransactionRefused } from '../../../store/refusals.ts'
import type { Store, Write } from '../../../store/table.ts'
import { effectItem, readEffect } from '../../rows/effect-row.ts'

export interface EffectDependencies {
  readonly store: Pick<Store, 'get'>
  readonly clock: Pick<Clock, 'now'>
}

/**
 * Does something to records once, however often its step is repeated: `act` makes the given row in the transaction of its
 * own write, and the row keeps what it answers. `effect` names it within the instance: `<execution id>#<n>`.
 */
export async function runEffectOnce<T>(
  { store, clock }: EffectDependencies,
  tenant: TenantRef,
  instanceId: number,
  effect: string,
  act: (mark: (result: T) => Write) => Promise<T>,
): Promise<T> {
  const place = processEffectKey(tenant, instanceId, effect)
  const earlier = async (): Promise<{ result: T } | undefined> => {
    const row = await store.get(tenant, place)
    return row && { result: readEffect<T>(row) }
  }
  const done = await earlier()
  if (done) return done.result
  const now = clock.now()
  try {
    return await act((result) => ({ put: effectItem(place, result, now), if: isNew }))
  } catch (error) {
    const faster = error instanceof TransactionRefused ? await earlier() : undefined
    if (faster) return faster.result
    throw error
  }
}
