import * as z from 'zod'
import { say, asIssue } from '../kernel/failures/sentence.ts'
import {
  maxAddressCharacters,
  maxOrganisationCharacters,
  maxOrgUnitsOfUser,
  maxPermissions,
  maxTokenCharacters,
} from '../kernel/limits/accounts.ts'
import { parseDate, parseDatetime } from '../kernel/time/parse-date.ts'
import { readOnly, stamps } from '../platform/configured-objects/schema.ts'
import { FieldRules, RowRules } from './access/schema.ts'
import {
  areStrings,
  confirmation,
  Email,
  EmailAddress,
  Id,
  isConfirmed,
  Locale,
  Name,
  NewPassword,
  notOwnName,
  ownName,
  Password,
  requiredConfirmation,
  RoleName,
  RoleNames,
  TenantHead,
  TenantSlug,
} from './account-fields.ts'
import { permissionPattern, permissionShape } from './roles/role.ts'

export {
  AuthMappingAnswer,
  AuthMappingChangesBody,
  NewAuthMappingBody,
} from './sign-in/providers/groups/auth-mapping-schema.ts'
export {
  ExchangeBody,
  OauthCallbackQuery,
  OauthParams,
  OauthRedirectQuery,
  SignInOptions,
  SignInOptionsQuery,
  SsoBody,
} from './sign-in/providers/sign-in-schema.ts'

export { ForgotPasswordBody, ResetPasswordBody, VerifyEmailBody } from './sign-in/recovery/recovery-schema.ts'
export {
  ConfirmMfaBody,
  LoginMfaBody,
  MfaChallengeAnswer,
  MfaSetUpAnswer,
  RemoveMfaBody,
  SetUpMfaBody,
} from './sign-in/second-factor/second-factor-schema.ts'
export { ApiKeyAnswer, NewApiKeyAnswer, NewApiKeyBody } from './keys/api-key-schema.ts'
export {
  InvitationAnswer,
  InviteBody,
  IssuedInvitationAnswer,
  JoinBody,
  PendingInvitation,
} from './invitations/invitation-schema.ts'
export { PeopleFilter, PickedPerson } from './people/lookup/people-schema.ts'
export { SessionAnswer, SwitchBody } from './sessions/session-schema.ts'

/** A point in time; of a day alone its beginning, or with `end` its end. */
const moment = (end: boolean) =>
  z
    .string()
    .transform((text, context) => {
      const at = parseDatetime(text)
      if (at === undefined) context.addIssue({ code: 'invalid_format', format: 'datetime', input: text })
      const isEndOfDay = end && at !== undefined && parseDate(text) !== undefined
      return isEndOfDay ? new Date(Date.parse(at) + dayMs).toISOString() : (at ?? '')
    })
    .meta({ type: 'string' })
const dayMs = 86_400_000

const substitution = {
  substitute_id: Id.nullish().meta({
    description: 'Id of the user who gets the tasks of this one meanwhile; null: nobody, which ends it.',
  }),
  from: moment(false).nullish().meta({ description: 'When that begins: ISO 8601, without an offset UTC. Null: now.' }),
  to: moment(true)
    .nullish()
    .meta({ description: 'When it is over; a day counts to its end. Null: until it is ended.' }),
}

const substitutionAnswer = {
  substitute_id: Id.optional().meta({
    description: 'Id of the user who gets the tasks of this one from `from` to `to`; left out when nobody does.',
  }),
  from: z.string().optional().meta({ format: 'date-time' }),
  to: z.string().optional().meta({ format: 'date-time', description: 'Left out: until it is ended.' }),
}

export const LoginBody = z.strictObject({
  email: z.string().trim().toLowerCase().min(1).max(maxAddressCharacters).meta({ format: 'email' }),
  password: Password,
  tenant: z
    .string()
    .max(maxOrganisationCharacters)
    .optional()
    .meta({ description: 'Slug of the company to enter; the one last used when left out.' }),
})

/** The sign-in of a browser: an address and a password, or the token of another way to sign in. */
export const BrowserSessionBody = z
  .strictObject({
    ...LoginBody.shape,
    email: LoginBody.shape.email.optional(),
    password: LoginBody.shape.password.optional(),
    token: z
      .string()
      .max(maxTokenCharacters)
      .optional()
      .meta({ description: 'The token that another sign-in answered, in place of `email` and `password`.' }),
  })
  .superRefine(({ token, ...others }, { addIssue }) => {
    for (const name of ['email', 'password', 'tenant'] as const) {
      const isGiven = others[name] !== undefined
      if (token !== undefined && isGiven)
        addIssue({ code: 'custom', path: [name], message: `Send either the token or the ${name}, not both.` })
      else if (token === undefined && !isGiven && name !== 'tenant')
        addIssue({ code: 'custom', path: [name], ...asIssue(say('required', { field: name })) })
    }
  })

const registration = { name: Name, email: EmailAddress, password: NewPassword, password_confirmation: z.string() }

export const RegisterBody = z
  .strictObject({
    ...registration,
    company_name: Name.optional().meta({ description: 'SaaS mode only, and required there.' }),
    slug: TenantSlug.optional().meta({ description: 'SaaS mode only, and required there.' }),
  })
  .refine(isConfirmed, requiredConfirmation)
  .refine(notOwnName, ownName)

/** The body of a registration in SaaS mode. */
export const RegisterTenantBody = z
  .strictObject({ ...registration, company_name: Name, slug: TenantSlug })
  .refine(isConfirmed, requiredConfirmation)
  .refine(notOwnName, ownName)

export const OwnAccountBody = z
  .strictObject({
    name: Name.optional(),
    locale: Locale.nullish(),
    password: NewPassword.optional(),
    password_confirmation: z.string().optional(),
    current_password: Password.optional().meta({ description: 'Required to set a new password.' }),
    ...substitution,
  })
  .refine(isConfirmed, confirmation)
  .refine(({ password, current_password }) => password === undefined || current_password !== undefined, {
    path: ['current_password'],
    ...asIssue(say('required', { field: 'current_password' })),
    when: ({ value }) => areStrings(value, 'password'),
  })

export const LoginAnswer = z.object({
  token: z
    .string()
    .meta({ description: 'Has the form `<number>|<secret>`. Send it as `Authorization: Bearer <token>`.' }),
  user: z.object({ id: Id, name: z.string(), email: Email, roles: z.array(z.string()) }),
  tenant: TenantHead,
})

export const ImpersonationAnswer = LoginAnswer.extend({ impersonator: z.object({ id: Id, name: z.string() }) })

/** A sign-in of a browser, which keeps the token where no script can read it. */
export const BrowserSessionAnswer = LoginAnswer.omit({ token: true }).extend({
  impersonator: z.object({ id: Id, name: z.string() }).optional(),
})

export const CurrentUser = z.object({
  id: Id,
  name: z.string(),
  email: Email,
  roles: z.array(z.string()),
  permissions: z
    .array(z.string())
    .meta({ description: 'The permissions of all roles together; `*` allows everything.' }),
  tenant: TenantHead,
  tenants: z.array(TenantHead).meta({ description: 'The companies that this session may switch to, and this one.' }),
  org_units: z.array(Id).meta({ description: 'Ids of organisational units (`sys_org_units`).' }),
  company_id: Id.nullable(),
  messenger_linked: z.boolean(),
  locale: z.string().nullable(),
  ...substitutionAnswer,
  mfa_enabled: z.boolean().meta({ description: 'Whether signing in with your password asks for a code.' }),
  mfa_setup_required: z
    .boolean()
    .meta({ description: 'A role demands a second factor; until you set one up, all else is 403.' }),
  verification_required: z.boolean().meta({
    description: 'The company works once you have opened the link that was mailed to you; until then most is 403.',
  }),
  accent_color: z
    .string()
    .optional()
    .meta({ description: "The company's color of the web app, such as `#2f5fd0`; left out when it has set none." }),
  impersonator: z.object({ id: Id, name: z.string() }).optional(),
})

const orgFields = {
  company_id: Id.nullish().meta({ description: 'Id of a record of `sys_companies`.' }),
  org_unit_ids: z
    .array(Id)
    .max(maxOrgUnitsOfUser)
    .optional()
    .meta({ description: 'Ids of records of `sys_org_units`.' }),
  locale: Locale.nullish(),
}

export const NewUserBody = z
  .strictObject({
    name: Name,
    email: EmailAddress,
    password: NewPassword,
    roles: RoleNames.optional().meta({ description: 'Names of roles; the default role of the tenant when left out.' }),
    is_active: z.boolean().optional(),
    ...orgFields,
  })
  .refine(notOwnName, ownName)

export const UserChangesBody = z.strictObject({
  ...readOnly,
  mfa_enabled: z.boolean().optional(),
  name: Name.optional(),
  email: EmailAddress.optional(),
  password: NewPassword.optional(),
  roles: RoleNames.optional(),
  is_active: z.boolean().optional(),
  ...substitution,
  ...orgFields,
})

export const UserAnswer = z.object({
  id: Id,
  name: z.string(),
  email: Email,
  roles: z.array(z.string()),
  is_active: z.boolean(),
  company_id: Id.nullable(),
  org_unit_ids: z.array(Id),
  locale: z.string().nullable(),
  mfa_enabled: z.boolean().meta({ description: 'Whether the person has a second factor.' }),
  ...substitutionAnswer,
  ...stamps,
})

const MfaRequired = z
  .boolean()
  .meta({ description: 'Who has the role and no second factor can only set one up, until it is confirmed.' })

const Permissions = z
  .array(z.string().regex(permissionPattern, { error: permissionShape }))
  .max(maxPermissions)
  .meta({
    description:
      '`<table>.<action>`, `<table>.*`, `*.<action>` or `*`. The actions of tables are read, create, update, delete, comment and comment_internal. Whoever may update may comment too; internal comments need comment_internal.',
  })

export const NewRoleBody = z.strictObject({
  name: RoleName.meta({ description: 'Unique in the tenant; cannot be changed later.' }),
  permissions: Permissions.optional(),
  rules: RowRules.optional(),
  mfa_required: MfaRequired.optional(),
  fields: FieldRules.optional(),
})
export type RoleInput = z.output<typeof NewRoleBody>

export const RoleChangesBody = z.strictObject({
  ...readOnly,
  name: z.string().optional().meta({ description: 'When given, it must be the current name.' }),
  permissions: Permissions.optional(),
  rules: RowRules.optional(),
  mfa_required: MfaRequired.optional(),
  fields: FieldRules.optional(),
})

export const RoleAnswer = z.object({
  id: Id,
  name: z.string(),
  permissions: z.array(z.string()),
  rules: RowRules,
  mfa_required: z.boolean(),
  fields: FieldRules,
  ...stamps,
})
export type RoleAnswer = z.output<typeof RoleAnswer>
