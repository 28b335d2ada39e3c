import { createAuthentication, limitRequests } from '../../shared/accounts/service.ts'
import { environment } from '../../shared/kernel/runtime/environment.ts'
import { accounts } from './accounts.ts'

/** Limits what one tenant may send, where the operator wants it. */
export const authenticate = limitRequests(
  accounts,
  createAuthentication(accounts),
  environment().TENANT_REQUESTS_PER_SECOND,
)
