import * as z from 'zod'
import { say, asIssue } from '../kernel/failures/sentence.ts'
import {
  maxAddressCharacters,
  maxLoginPasswordCharacters,
  maxPasswordCharacters,
  maxPersonNameCharacters,
  maxRolesOfUser,
} from '../kernel/limits/accounts.ts'
import { isOwnName, minPasswordLength, ownNameProblem, passwordProblems } from './credentials/password-rules.ts'
import { roleNamePattern, roleNameShape } from './roles/role.ts'

export const Name = z.string().trim().min(1).max(maxPersonNameCharacters)
export const EmailAddress = z
  .string()
  .trim()
  .toLowerCase()
  .max(maxAddressCharacters)
  .pipe(z.email())
  .meta({ description: 'Unique across the deployment, compared in lower case.', format: 'email' })
export const NewPassword = z
  .string()
  .superRefine((password, context) => {
    for (const problem of passwordProblems(password)) context.addIssue({ code: 'custom', ...asIssue(problem) })
  })
  .meta({
    description: 'Neither a common password nor the name or the e-mail address of the user.',
    minLength: minPasswordLength,
    maxLength: maxPasswordCharacters,
    format: 'password',
  })
export const Password = z.string().min(1).max(maxLoginPasswordCharacters).meta({ format: 'password' })
export const Id = z.int().positive()
export const Email = z.string().nullable().meta({ description: 'null for a service user.' })
export const Locale = z
  .string()
  .regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/, {
    error: 'The locale format is invalid. Use a language tag, such as en or de-AT.',
  })
  .meta({ description: 'A BCP 47 language tag such as `en` or `de-AT`.' })
export const RoleName = z.string().regex(roleNamePattern, { error: roleNameShape })
export const RoleNames = z.array(RoleName).max(maxRolesOfUser)
export const TenantSlug = z
  .string()
  .regex(/^[a-z][a-z0-9-]{1,62}$/, {
    error: 'The slug format is invalid. Use 2 to 63 lower-case letters, digits and hyphens, beginning with a letter.',
  })
  .meta({
    description:
      'Identifies the company in addresses: 2 to 63 lower-case letters, digits and hyphens, starting with a letter.',
  })

/** Checks of several fields run even when other fields are wrong, so that one answer names all invalid fields. */
export const areStrings = (value: unknown, ...names: readonly string[]): boolean =>
  names.every((name) => typeof (value as Record<string, unknown> | null)?.[name] === 'string')

interface Confirmed {
  readonly password?: string
  readonly password_confirmation?: string
}
export const isConfirmed = ({ password, password_confirmation }: Confirmed): boolean =>
  password === password_confirmation
export const confirmation = {
  path: ['password'],
  ...asIssue(say('passwords_differ', {})),
  when: ({ value }: { value: unknown }) => areStrings(value, 'password', 'password_confirmation'),
}
/** Where the confirmation is required, a missing one does not match either. */
export const requiredConfirmation = {
  ...confirmation,
  when: ({ value }: { value: unknown }) =>
    areStrings(value, 'password') &&
    ['string', 'undefined'].includes(typeof (value as Confirmed).password_confirmation),
}
export const notOwnName = (given: {
  readonly password?: string
  readonly name?: string
  readonly email?: string
}): boolean => given.password === undefined || !isOwnName(given.password, given)
export const ownName = {
  path: ['password'],
  ...asIssue(ownNameProblem),
  when: ({ value }: { value: unknown }) => areStrings(value, 'password'),
}

export const TenantHead = z.object({ slug: z.string(), name: z.string() })
