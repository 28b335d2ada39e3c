import { createAuthentication, limitRequests } from '../../shared/accounts/service.ts'
import { accounts } from './accounts.ts'

const perSecond = Number(process.env['TENANT_REQUESTS_PER_SECOND'] || 0)

/** Limits what one tenant may send, where the operator wants it. */
export const authenticate = limitRequests(accounts, createAuthentication(accounts), perSecond)
