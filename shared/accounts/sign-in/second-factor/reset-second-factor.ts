import { Forbidden } from '../../../kernel/failures/faults.ts'
import type { Caller } from '../../../kernel/principal.ts'
import type { AccountDependencies } from '../../dependencies.ts'
import { changeUser } from '../../people/change-user.ts'

/**
 * Removes the second factor of another person, who lost it. Throws NotFound, Invalid naming `mfa` for a person of other
 * tenants too, and Forbidden for oneself: one's own is removed with a code.
 */
export async function resetSecondFactor(
  { store, clock }: Pick<AccountDependencies, 'store' | 'clock'>,
  caller: Caller,
  id: number,
): Promise<void> {
  if (id === caller.userId)
    throw new Forbidden('forbidden', 'Remove your own second factor with DELETE /api/user/mfa and a code.')
  const mfa = { before: 'any', after: null } as const
  await changeUser({ store, clock }, caller.tenant, id, () => ({ mfa }), { by: caller, soleOnly: true })
}
