import * as z from 'zod'
import { RegisterTenantBody } from '../../shared/auth/schema.ts'
import {
  acceptInvitation,
  describeInvitation,
  changeOwnAccount,
  describeCaller,
  forgotPassword,
  resetPassword,
  askForVerification,
  queueAccountMail,
  verifyEmail,
  refuseRegistration,
  registerTenant,
  registerUser,
  logIn,
  logInMfa,
  setUpSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  revokeToken,
} from '../../shared/auth/service.ts'
import { endpointGroup } from '../../shared/http/routing/endpoint-group.ts'
import { implement, implementOpen, type Implementation } from '../../shared/http/routing/implement.ts'
import { environment, registrationIsOpen } from '../../shared/kernel/environment.ts'
import { mayFail } from '../../shared/kernel/log.ts'
import { accountMailQueue } from '../wiring/account-mail.ts'
import { accounts } from '../wiring/accounts.ts'
import { authenticate } from '../wiring/authenticate.ts'
import { secrets } from '../wiring/secrets.ts'
import { externalSignIn } from './external-sign-in.ts'
import * as mfa from './mfa-routes.ts'
import * as recovery from './recovery-routes.ts'
import * as route from './routes.ts'

const confidential = { ...accounts, secrets }
const mailing = { ...accounts, mails: accountMailQueue }

export const handler = endpointGroup({ authenticate }, [
  implementOpen(route.logInLocal, ({ body, sourceIp }) => logIn(accounts, { ...body, sourceIp })),
  implement(route.logOut, async ({ caller }) => {
    await revokeToken(accounts, caller.tenant, caller, caller.tokenNumber)
    return null
  }),
  implement(route.readCurrentUser, async ({ caller }) => describeCaller(caller)),
  implement(route.changeCurrentUser, async ({ caller, body, sourceIp }) =>
    describeCaller(await changeOwnAccount(accounts, caller, body, sourceIp)),
  ),
  registration(),
  implementOpen(route.readInvitation, ({ params }) => describeInvitation(accounts, params.token)),
  implementOpen(route.acceptInvitation, ({ params, body }) => acceptInvitation(accounts, params.token, body)),
  ...externalSignIn,
  implementOpen(recovery.forgotPassword, async ({ body, sourceIp }) => {
    await forgotPassword(mailing, { ...body, sourceIp })
    return null
  }),
  implementOpen(recovery.resetPassword, async ({ body }) => {
    await resetPassword(accounts, body)
    return null
  }),
  implementOpen(recovery.verifyEmail, async ({ body }) => {
    await verifyEmail(accounts, body.token)
    return null
  }),
  implementOpen(mfa.logInMfa, ({ body, sourceIp }) => logInMfa(confidential, { ...body, sourceIp })),
  implement(mfa.setUpMfa, ({ caller, body, sourceIp }) =>
    setUpSecondFactor(confidential, caller, { ...body, sourceIp }),
  ),
  implement(mfa.confirmMfa, async ({ caller, body, sourceIp }) => {
    await confirmSecondFactor(confidential, caller, { ...body, sourceIp })
    return null
  }),
  implement(mfa.removeMfa, ({ caller, body, sourceIp }) =>
    removeSecondFactor(confidential, caller, { ...body, sourceIp }),
  ),
  implement(recovery.resendVerification, async ({ caller, sourceIp }) => {
    await askForVerification(mailing, caller, sourceIp)
    return null
  }),
])

/**
 * The body depends on the deployment, so that one 422 names every wrong field. The reference documents the body of all
 * modes.
 */
function registration(): Implementation {
  const env = environment()
  if (!registrationIsOpen(env))
    return implementOpen({ ...route.registerAccount, body: z.unknown() }, async () => refuseRegistration())
  if (env.APP_MODE === 'saas')
    return implementOpen({ ...route.registerAccount, body: RegisterTenantBody }, async ({ body }) => {
      const registered = await registerTenant(accounts, body)
      // A new link can be asked for, so a queue that fails does not fail the registration.
      await mayFail('ask for a verification mail', () =>
        queueAccountMail(accountMailQueue, { kind: 'email_verification', email: body.email }),
      )
      return registered
    })
  return implementOpen(route.registerAccount, ({ body }) => registerUser(accounts, body))
}
