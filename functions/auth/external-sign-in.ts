import { createProviderKeys, logInSso } from '../../shared/auth/service.ts'
import { implementOpen, type Implementation } from '../../shared/http/routing/implement.ts'
import { environment } from '../../shared/kernel/environment.ts'
import { createFetchPublic } from '../../shared/net/fetch-public.ts'
import { accounts } from '../wiring/accounts.ts'
import * as route from './external-routes.ts'

const settings = environment()
const fetchPublic = createFetchPublic({ loopbackAllowed: settings.LOOPBACK_TARGETS === 'allowed' })
const keysOf = createProviderKeys({ fetchPublic, clock: accounts.clock })

/** Sign-in with tokens of identity providers. */
export const externalSignIn: readonly Implementation[] = [
  implementOpen(route.logInSso, ({ body }) => logInSso({ ...accounts, settings, keysOf }, body.token)),
]
