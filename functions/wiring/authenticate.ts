import { createAuthentication } from '../../shared/accounts/sessions/authentication.ts'
import { limitRequests } from '../../shared/accounts/sessions/limit-requests.ts'
import { createTokenGuard } from '../../shared/accounts/sign-in/unknown-tokens.ts'
import { environment } from '../../shared/kernel/runtime/environment.ts'
import { accounts } from './accounts.ts'

/** Bounds how many unknown tokens a network may try. */
export const tokenGuard = createTokenGuard(accounts)

/** Limits what one tenant may send, where the operator wants it. */
export const authenticate = tokenGuard.guarded(
  limitRequests(accounts, createAuthentication(accounts), environment().TENANT_REQUESTS_PER_SECOND),
)
