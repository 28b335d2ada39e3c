import * as z from 'zod'
import { queueAccountMail } from '../../../shared/accounts/account-mail/account-mail.ts'
import { acceptInvitation, describeInvitation } from '../../../shared/accounts/invitations/accept-invitation.ts'
import { administerInvitations } from '../../../shared/accounts/invitations/administer-invitations.ts'
import { RegisterTenantBody } from '../../../shared/accounts/schema.ts'
import { revokeToken } from '../../../shared/accounts/sessions/issue-token.ts'
import { endOtherSessions, endSession, listSessions } from '../../../shared/accounts/sessions/own-sessions.ts'
import { impersonate } from '../../../shared/accounts/sign-in/impersonate.ts'
import { logIn } from '../../../shared/accounts/sign-in/login.ts'
import { changeOwnAccount, describeCaller } from '../../../shared/accounts/sign-in/own-account.ts'
import { forgotPassword, resetPassword } from '../../../shared/accounts/sign-in/recovery/reset-password.ts'
import { askForVerification, verifyEmail } from '../../../shared/accounts/sign-in/recovery/verify-email.ts'
import { refuseRegistration, registerTenant, registerUser } from '../../../shared/accounts/sign-in/register.ts'
import { logInMfa } from '../../../shared/accounts/sign-in/second-factor/log-in-mfa.ts'
import {
  confirmSecondFactor,
  removeSecondFactor,
  setUpSecondFactor,
} from '../../../shared/accounts/sign-in/second-factor/own-second-factor.ts'
import { switchTenant } from '../../../shared/accounts/sign-in/switch-tenant.ts'
import type { Caller } from '../../../shared/kernel/principal.ts'
import { environment, registrationIsOpen } from '../../../shared/kernel/runtime/environment.ts'
import { mayFail } from '../../../shared/kernel/runtime/log.ts'
import { endpointGroup } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { publicUrl } from '../../../shared/platform/http/routing/envelope.ts'
import { implement, type Implementation, implementOpen } from '../../../shared/platform/http/routing/implement.ts'
import { mailSettingsOf } from '../../../shared/platform/mail/mail-settings.ts'
import { accounts } from '../../wiring/accounts.ts'
import { authenticate, tokenGuard } from '../../wiring/authenticate.ts'
import { accountMailQueue } from '../../wiring/messages/account-mail.ts'
import { secrets } from '../../wiring/platform/secrets.ts'
import * as route from './account-routes.ts'
import { browserSession } from './browser-session.ts'
import { externalSignIn } from './external-sign-in.ts'
import * as invitation from './invitation-routes.ts'
import * as mfa from './mfa-routes.ts'
import * as recovery from './recovery-routes.ts'
import * as session from './session-routes.ts'

const invitations = administerInvitations(accounts, { appUrl: environment().APP_URL, publicUrl: publicUrl() })

const confidential = { ...accounts, secrets }
const mailing = { ...accounts, mails: accountMailQueue }

export const handler = endpointGroup({ authenticate }, [
  implementOpen(route.logInLocal, ({ body, sourceIp, headers }) =>
    logIn(accounts, { ...body, sourceIp, userAgent: headers['user-agent'] }),
  ),
  implement(route.logOut, async ({ caller }) => {
    await revokeToken(accounts, caller.tenant, caller, caller.tokenNumber)
    return null
  }),
  implement(route.readCurrentUser, ({ caller }) => describeCaller(accounts, caller)),
  implement(route.changeCurrentUser, async ({ caller, body, sourceIp }) =>
    describeCaller(accounts, await changeOwnAccount(accounts, caller, body, sourceIp)),
  ),
  registration(),
  ...externalSignIn,
  ...browserSession,
  implementOpen(recovery.forgotPassword, async ({ body, sourceIp }) => {
    await forgotPassword(mailing, { ...body, sourceIp })
    return null
  }),
  implementOpen(recovery.resetPassword, async ({ body, sourceIp }) => {
    await tokenGuard.open({ token: body.token, sourceIp }, () => resetPassword(accounts, body))
    return null
  }),
  implementOpen(recovery.verifyEmail, async ({ body: { token }, sourceIp }) => {
    await tokenGuard.open({ token, sourceIp }, () => verifyEmail(accounts, token))
    return null
  }),
  implementOpen(mfa.logInMfa, ({ body, sourceIp, headers }) =>
    tokenGuard.open({ token: body.mfa_token, sourceIp }, () =>
      logInMfa(confidential, { ...body, sourceIp, userAgent: headers['user-agent'] }),
    ),
  ),
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
  implement(session.switchTenant, ({ caller, body, headers }) =>
    switchTenant(accounts, caller, body.tenant, headers['user-agent']),
  ),
  implement(session.listSessions, ({ caller, query }) => listSessions(accounts, caller, query)),
  implement(session.endSession, ({ caller, params }) => endSession(accounts, caller, params.id)),
  implement(session.endOtherSessions, ({ caller }) => endOtherSessions(accounts, caller)),
  implement(session.impersonate, ({ caller, params, headers }) =>
    impersonate(accounts, caller, params.user_id, headers['user-agent']),
  ),
  implementOpen(invitation.readInvitation, ({ params: { token }, sourceIp }) =>
    tokenGuard.open({ token, sourceIp }, () => describeInvitation(accounts, token)),
  ),
  implementOpen(invitation.acceptInvitation, ({ params: { token }, body, headers, sourceIp }) =>
    tokenGuard.open({ token, sourceIp }, async () => {
      const { authorization } = headers
      const caller = authorization === undefined ? undefined : (await authenticate(authorization, () => [])).caller
      return acceptInvitation(accounts, token, { body, caller, sourceIp, userAgent: headers['user-agent'] })
    }),
  ),
  implement(invitation.inviteToTenant, ({ caller, body }) =>
    inviteByMail(caller, () => invitations.invite(caller, body)),
  ),
  implement(invitation.listInvitations, ({ caller, query }) => invitations.list(caller.tenant, query)),
  implement(invitation.resendInvitation, ({ caller, params }) =>
    inviteByMail(caller, () => invitations.resend(caller, params.id)),
  ),
  implement(invitation.revokeInvitation, ({ caller, params }) => invitations.revoke(caller, params.id)),
])

/** Invites, and asks for the mail. The answer has a link too, so a queue that fails does not fail the invitation. */
async function inviteByMail<T extends { readonly id: number }>(caller: Caller, invite: () => Promise<T>): Promise<T> {
  const issued = await invite()
  await mayFail('ask for an invitation mail', () =>
    queueAccountMail(accountMailQueue, { kind: 'invitation', tenant_id: caller.tenant.id, invitation_id: issued.id }),
  )
  return issued
}

/**
 * The body depends on the deployment, so that one 422 names every wrong field. The reference documents the body of all
 * modes.
 */
function registration(): Implementation {
  const env = environment()
  if (!registrationIsOpen(env))
    return implementOpen({ ...route.registerAccount, body: z.unknown() }, async () => refuseRegistration())
  // A new tenant has no mail server of its own: without one of the deployment nobody could verify anything.
  const mustVerify = mailSettingsOf(env) !== undefined && env.EMAIL_VERIFICATION !== 'off'
  if (env.APP_MODE === 'saas')
    return implementOpen(
      { ...route.registerAccount, body: RegisterTenantBody },
      async ({ body, headers, sourceIp }) => {
        const registered = await registerTenant(accounts, body, {
          sourceIp,
          userAgent: headers['user-agent'],
          mustVerify,
        })
        // A new link can be asked for, so a queue that fails does not fail the registration.
        await mayFail('ask for a verification mail', () =>
          queueAccountMail(accountMailQueue, { kind: 'email_verification', email: body.email }),
        )
        return registered
      },
    )
  return implementOpen(route.registerAccount, ({ body, headers, sourceIp }) =>
    registerUser(accounts, body, { sourceIp, userAgent: headers['user-agent'] }),
  )
}
