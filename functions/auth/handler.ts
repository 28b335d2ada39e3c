import { createAuthentication } from '../../shared/auth/authenticate.ts'
import { acceptInvitation, describeInvitation } from '../../shared/auth/invitation.ts'
import { logIn } from '../../shared/auth/login.ts'
import { changeOwnAccount, describeCaller } from '../../shared/auth/own-account.ts'
import { register } from '../../shared/auth/register.ts'
import { revokeToken } from '../../shared/auth/token.ts'
import { clock } from '../../shared/clock.ts'
import { environment } from '../../shared/env.ts'
import { eventActor } from '../../shared/history/trail-event.ts'
import { group } from '../../shared/http/group.ts'
import { implement, implementOpen } from '../../shared/http/implement.ts'
import { createConfig } from '../../shared/store/config.ts'
import { createStore } from '../../shared/store/table.ts'
import * as route from './routes.ts'

const store = createStore(environment().TABLE_NAME)
const accounts = { store, config: createConfig(store, clock), clock }

export const handler = group({ authenticate: createAuthentication(accounts) }, [
  implementOpen(route.logInLocal, ({ body, sourceIp }) => logIn(accounts, { ...body, sourceIp })),
  implement(route.logOut, async ({ caller }) => {
    await revokeToken(accounts, caller.tenant, eventActor(caller), caller.tokenNumber)
    return null
  }),
  implement(route.readCurrentUser, async ({ caller }) => describeCaller(caller)),
  implement(route.changeCurrentUser, async ({ caller, body, sourceIp }) =>
    describeCaller(await changeOwnAccount(accounts, caller, body, sourceIp)),
  ),
  implementOpen(route.registerAccount, ({ body }) => register(accounts, environment(), body)),
  implementOpen(route.readInvitation, ({ params }) => describeInvitation(accounts, params.token)),
  implementOpen(route.acceptInvitation, ({ params, body }) => acceptInvitation(accounts, params.token, body)),
])
