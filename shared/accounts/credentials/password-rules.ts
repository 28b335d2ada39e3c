import { type Sentence, say } from '../../kernel/failures/sentence.ts'
import { maxPasswordCharacters } from '../../kernel/limits/accounts.ts'
import { commonPasswords } from './common-passwords.ts'

export const minPasswordLength = 8
const field = 'password'

/**
 * What is wrong with a new password, in the wording of Laravel's validator; empty when it is allowed. Its length is
 * counted in code points of the NFKC form.
 */
export function passwordProblems(password: string): Sentence[] {
  const normal = password.normalize('NFKC')
  const length = [...normal].length
  if (length < minPasswordLength) return [say('too_short', { field, min: minPasswordLength })]
  if (length > maxPasswordCharacters) return [say('too_long', { field, max: maxPasswordCharacters })]
  const folded = normal.toLowerCase()
  if (commonPasswords.has(folded) || new Set(folded).size === 1) return [say('password_common', {})]
  return []
}

/**
 * Whether the password is the owner's name, e-mail address, or the part of it before the @. The owner may be unchecked
 * input.
 */
export function isOwnName(password: string, owner: { readonly email?: unknown; readonly name?: unknown }): boolean {
  const folded = fold(password)
  const [email, name] = [owner.email, owner.name].map((given) => (typeof given === 'string' ? given : undefined))
  const names = [email, email?.split('@', 1)[0], name, name?.replaceAll(/\s+/g, '')]
  return names.some((one) => one !== undefined && fold(one) === folded)
}

export const ownNameProblem = say('password_is_name', {})

const fold = (text: string): string => text.normalize('NFKC').trim().toLowerCase()
