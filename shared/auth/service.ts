export { AccountMail, type AccountMailQueue, queueAccountMail } from './account-mail/account-mail.ts'
export { mailAccount } from './account-mail/mail-account.ts'
export { administerApiKeys } from './api-keys/administer-api-keys.ts'
export { administerUsers } from './accounts/administer-users.ts'
export { findPeople } from './accounts/find-people.ts'
export { inviteAdministrator } from './accounts/invite-administrator.ts'
export { findUsersWithRole } from './accounts/list-users.ts'
export { changeOwnAccount, describeCaller } from './accounts/own-account.ts'
export { pickPeople } from './accounts/pick-people.ts'
export { refuseRegistration, registerTenant, registerUser } from './accounts/register.ts'
export { findUser, namesOf } from './accounts/user.ts'
export { askForVerification } from './recovery/ask-for-verification.ts'
export { forgotPassword } from './recovery/forgot-password.ts'
export { resetPassword } from './recovery/reset-password.ts'
export { verifyEmail } from './recovery/verify-email.ts'
export { acceptInvitation, describeInvitation } from './invitations/accept-invitation.ts'
export { administerInvitations, invitationUrl } from './invitations/administer-invitations.ts'
export {
  changeRole,
  createRole,
  deleteRole,
  describeRole,
  fieldsOf,
  findRole,
  listRoles,
  type RoleAdministration,
} from './roles/administer-roles.ts'
export { administratorRole } from './roles/role-names.ts'
export { roleOf } from './roles/role.ts'
export { logInMfa } from './second-factor/log-in-mfa.ts'
export { confirmSecondFactor, removeSecondFactor, setUpSecondFactor } from './second-factor/own-second-factor.ts'
export { resetSecondFactor } from './second-factor/reset-second-factor.ts'
export { createAuthentication, findViewer } from './sessions/authentication.ts'
export { impersonate } from './sessions/impersonate.ts'
export { logIn } from './sessions/login.ts'
export { endOtherSessions, endSession, listSessions } from './sessions/own-sessions.ts'
export { switchTenant } from './sessions/switch-tenant.ts'
export { revokeToken } from './sessions/issue-token.ts'
export { createTenantWithAdministrator, type NewTenant } from './tenants/create-tenant.ts'
export { findTenant, findTenantBySlug } from './tenants/find-tenant.ts'
export { administerAuthMappings } from './external/administer-auth-mappings.ts'
export { beginOauth, type OauthDependencies } from './external/begin-oauth.ts'
export { exchangeCode, finishOauth } from './external/finish-oauth.ts'
export { logInSso } from './external/log-in-sso.ts'
export { createOauthClients } from './external/oauth-client.ts'
export { requireOauthProvider } from './external/oauth-provider-names.ts'
export { createProviderKeys } from './external/provider-keys.ts'
export { moveProviderClaim } from './external/provider-claim.ts'
export { stateLifeMs } from './external/sign-in-rows.ts'
