import { Fault } from '../../../kernel/failures/faults.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import type { Store, Write } from '../../../platform/store/store.ts'
import { isRefusal } from '../../../platform/store/writes/refusals.ts'
import { type Effect, effectItem, type EffectRows, isOfTry, readEffect } from './effect-row.ts'

interface EffectDependencies {
  readonly store: Pick<Store, 'get'>
  readonly clock: Pick<Clock, 'now'>
}

/**
 * Makes an effect once in a try, however often its work is repeated: `act` stores the guard row in the transaction of
 * its own write, and the row keeps the result for repeats. `effect` names it within the work. `withdrawn` is the result
 * of an earlier try, whose work failed: what it wrote may stand, and `act` decides what is left to do.
 */
export async function guardEffect<T>(
  { store, clock }: EffectDependencies,
  tenant: TenantRef,
  rows: EffectRows,
  effect: string,
  act: (guard: (result: T) => Write, withdrawn: T | undefined) => Promise<T>,
): Promise<T> {
  const key = rows.keyOf(effect)
  const read = async (): Promise<Effect<T> | undefined> => {
    const row = await store.get(tenant, key)
    return row && readEffect<T>(row)
  }
  const earlier = await read()
  if (earlier?.tryId === rows.tryId) return earlier.result
  const now = clock.now()
  try {
    return await act(
      (result) => ({ put: effectItem(rows, effect, result, now), if: isOfTry(earlier?.tryId) }),
      earlier?.result,
    )
  } catch (error) {
    // Another worker of this try may have been faster, and what it wrote may be why this one was refused.
    const faster = isRefusal(error) || error instanceof Fault ? await read() : undefined
    if (faster?.tryId === rows.tryId) return faster.result
    throw error
  }
}
