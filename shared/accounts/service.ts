export { AccountMail, queueAccountMail } from './account-mail/account-mail.ts'
export { mailAccount } from './account-mail/mail-account.ts'
export { administerApiKeys } from './keys/administer-api-keys.ts'
export { readApiKey } from './keys/api-key-row.ts'
export { describeApiKeys } from './keys/describe-api-keys.ts'
export { administerUsers } from './people/administer-users.ts'
export { findPeople } from './people/lookup/find-people.ts'
export { inviteAdministrator } from './people/membership/invite-administrator.ts'
export { findUsersWithRole } from './people/list-users.ts'
export { changeOwnAccount, describeCaller } from './people/own-account.ts'
export { localeOfAddress } from './people/lookup/locale-of-address.ts'
export { userOfAddress } from './people/lookup/user-of-address.ts'
export { pickPeople } from './people/lookup/pick-people.ts'
export { refuseRegistration, registerTenant, registerUser } from './people/membership/register.ts'
export { askForVerification } from './sign-in/recovery/ask-for-verification.ts'
export { forgotPassword } from './sign-in/recovery/forgot-password.ts'
export { resetPassword } from './sign-in/recovery/reset-password.ts'
export { verifyEmail } from './sign-in/recovery/verify-email.ts'
export { acceptInvitation, describeInvitation } from './invitations/accept-invitation.ts'
export { administerInvitations, invitationUrl } from './invitations/administer-invitations.ts'
export { eraseUser } from './people/erase-user.ts'
export { removeOwnRows } from './people/remove-own-rows.ts'
export { leaveTenant } from './people/membership/leave-tenant.ts'
export { changeMessengerChat, userOfChat } from './people/messenger-chat.ts'
export { exportedUser, findUser, namesOf, userSequence } from './people/user.ts'
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
export { logInMfa } from './sign-in/second-factor/log-in-mfa.ts'
export {
  confirmSecondFactor,
  removeSecondFactor,
  setUpSecondFactor,
} from './sign-in/second-factor/own-second-factor.ts'
export { resetSecondFactor } from './sign-in/second-factor/reset-second-factor.ts'
export { limitRequests } from './sessions/limit-requests.ts'
export { createAuthentication, findViewer, viewerOfUser } from './sessions/authentication.ts'
export { impersonate } from './sessions/impersonate.ts'
export { logIn } from './sign-in/login.ts'
export { endOtherSessions, endSession, listSessions } from './sessions/own-sessions.ts'
export { switchTenant } from './sessions/switch-tenant.ts'
export { revokeToken } from './sessions/issue-token.ts'
export { createTenantWithAdministrator, type NewTenant } from './tenants/create-tenant.ts'
export { administerAuthMappings } from './sign-in/providers/groups/administer-auth-mappings.ts'
export { describeSignIn } from './sign-in/providers/oauth/describe-sign-in.ts'
export { beginOauth, type OauthDependencies } from './sign-in/providers/oauth/begin-oauth.ts'
export { exchangeCode, finishOauth } from './sign-in/providers/oauth/finish-oauth.ts'
export { logInSso } from './sign-in/providers/sso/log-in-sso.ts'
export { createOauthClients } from './sign-in/providers/oauth/oauth-client.ts'
export { requireOauthProvider } from './sign-in/providers/oauth/oauth-provider-names.ts'
export { createProviderKeys } from './sign-in/providers/sso/provider-keys.ts'
export { moveProviderClaim } from './sign-in/providers/sso/provider-claim.ts'
export { stateLifeMs } from './sign-in/providers/oauth/sign-in-rows.ts'
export { findTenant, findTenantBySlug, findTenantOfMessage } from './tenants/find-tenant.ts'
