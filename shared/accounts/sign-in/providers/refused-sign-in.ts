import { Unauthenticated } from '../../../kernel/failures/faults.ts'
import { log } from '../../../kernel/runtime/log.ts'

/** Why somebody who comes from an identity provider is not signed in. For the log only, and without personal data. */
export class RefusedSignIn extends Error {
  override readonly name = 'RefusedSignIn'
}

/**
 * Runs a sign-in at a provider. Whatever is wrong with the token, the provider or the account, the caller gets the same
 * 401, and the log one line with the reason: no token, no stack. Faults of the service itself are thrown on.
 */
export async function refuseAlike<T>(provider: string, signIn: () => Promise<T>): Promise<T> {
  try {
    return await signIn()
  } catch (error) {
    if (!(error instanceof RefusedSignIn)) throw error
    log.warn('refused a sign-in at a provider', { provider, reason: error.message })
    throw new Unauthenticated('sign_in_refused', 'The sign-in was refused.')
  }
}
