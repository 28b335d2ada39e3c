import { createAuthentication } from '../../shared/auth/service.ts'
import { accounts } from './accounts.ts'

export const authenticate = createAuthentication(accounts)
