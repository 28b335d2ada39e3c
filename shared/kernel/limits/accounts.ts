/** A new password. */
export const maxPasswordCharacters = 128
/** Companies of a person. How many tenants a person may belong to: a change of the person writes all memberships in one transaction. */
export const maxMemberships = 40
/** Identities at providers of a person. At most so many accounts at providers are kept for a person; the oldest goes first. */
export const maxIdentities = 20
/** Groups that a provider names. */
export const maxIdentityGroups = 1000
/** A token of an identity provider. The longest token that is looked at. Providers send a few kilobytes, with many groups a little more. */
export const maxSsoTokenCharacters = 16_384
/** Audiences that a token names. */
export const maxSsoAudiences = 10
/** `ids` of a list of people. */
export const maxPickedPeople = 1000
/** What a session shows of the browser. */
export const maxUserAgentCharacters = 300
/** The field rules of a role. All roles are read again after every change of configuration, so their rules must stay small. */
export const maxFieldRuleBytes = 100 * 1024
/** The row rules of a role. All roles are read again after every change of configuration, so their rules must stay small. */
export const maxRowRuleBytes = 100 * 1024
/** A secret. The longest secret in bytes: what KMS encrypts in one call. */
export const maxSecretBytes = 4096
/** An e-mail address. */
export const maxAddressCharacters = 254
/** What stands before the `@` of an e-mail address. */
export const maxLocalPartCharacters = 64
/** The name of a person. */
export const maxPersonNameCharacters = 255
/** A password at sign-in. */
export const maxLoginPasswordCharacters = 1000
/** Roles of a user, an invitation, an API key or a mapping of groups. */
export const maxRolesOfUser = 20
/** Organisational units of a user. */
export const maxOrgUnitsOfUser = 50
/** Permissions of a role. */
export const maxPermissions = 1000
/** Row rules of a role. */
export const maxRowRules = 200
/** Fields that a field rule names. */
export const maxRuleFields = 200
/** The name or slug of a company. */
export const maxOrganisationCharacters = 200
/** The name of a group of an identity provider. */
export const maxGroupCharacters = 500
/** A code of the second factor. */
export const maxSecondFactorCodeCharacters = 50
/** The secret of a link or of a step of the sign-in. */
export const maxLinkTokenCharacters = 200
/** `redirect` of a sign-in. */
export const maxRedirectCharacters = 1000
/** What a sign-in provider sends back. */
export const maxProviderTextCharacters = 4096
/** Names and subjects in a token of an identity provider. */
export const maxIdentityTextCharacters = 255
/** The id of a token of an identity provider. */
export const maxTokenIdCharacters = 500
/** `search` of a list of people. */
export const maxPeopleSearchCharacters = 200
/** The slug that confirms a deletion. */
export const maxTenantSlugCharacters = 100
/** Invitations of a company in about 15 minutes, new and renewed ones. An administrator may invite a department by hand. */
export const maxInvitations = 60
/** The same in a day. */
export const maxDailyInvitations = 300
/** Invitations of a company to one address in about 15 minutes. */
export const maxInvitationsOfAddress = 5
/** The same in a day. */
export const maxDailyInvitationsOfAddress = 10
/** What a mail to strangers says of the name of a person or of a company that is new. */
export const maxMailedNameCharacters = 60
/** A token at the sign-in of a browser. */
export const maxTokenCharacters = 100
/** How many people one after another stand in for each other. */
export const maxSubstituteChain = 5
/** How many people one user stands in for. */
export const maxSubstituted = 20
