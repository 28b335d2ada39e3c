import type { Clock } from '../../../kernel/clock.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { isNew } from '../../../store/conditions.ts'
import { processEffectKey } from '../../../store/keys/processes.ts'
import { TransactionRefused } from '../../../store/refusals.ts'
import type { Store, Write } from '../../../store/store.ts'
import { effectItem, readEffect } from '../../rows/effect-row.ts'

interface EffectDependencies {
  readonly store: Pick<Store, 'get'>
  readonly clock: Pick<Clock, 'now'>
}

/**
 * Makes an effect once, however often its step is repeated: `act` stores the guard row in the transaction of its own
 * write, and the row keeps the result for repeats. `effect` names it within the instance: `<execution id>#<n>`.
 */
export async function guardEffect<T>(
  { store, clock }: EffectDependencies,
  tenant: TenantRef,
  instanceId: number,
  effect: string,
  act: (guard: (result: T) => Write) => Promise<T>,
): Promise<T> {
  const key = processEffectKey(tenant, instanceId, effect)
  const earlier = async (): Promise<{ result: T } | undefined> => {
    const row = await store.get(tenant, key)
    return row && { result: readEffect<T>(row) }
  }
  const done = await earlier()
  if (done) return done.result
  const now = clock.now()
  try {
    return await act((result) => ({ put: effectItem(key, result, now), if: isNew }))
  } catch (error) {
    const faster = error instanceof TransactionRefused ? await earlier() : undefined
    if (faster) return faster.result
    throw error
  }
}
