import { createAuthentication } from '../../shared/accounts/service.ts'
import { accounts } from './accounts.ts'

export const authenticate = createAuthentication(accounts)
