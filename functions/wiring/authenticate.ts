import { createAuthentication } from '../../shared/accounts/auth/service.ts'
import { accounts } from './accounts.ts'

export const authenticate = createAuthentication(accounts)
