import { Unauthenticated } from '../../kernel/failures/faults.ts'

const refused = (message: string) => (): Unauthenticated => new Unauthenticated('unauthenticated', message)

/** Nobody was given the token, or it was signed out. */
export class UnknownToken extends Unauthenticated {}

/** Why a request with a token, or without one, is not signed in. */
export const refusedTokens = {
  missing: refused(
    'The token is missing. Send the header "Authorization: Bearer <token>" with the token of POST /api/login-local or of an API key.',
  ),
  malformed: refused(
    'The token is malformed. The header must be "Authorization: Bearer <number>|<secret>", with the token exactly as the sign-in answered it.',
  ),
  /** The row is gone, or the secret is wrong. */
  unknown: (): UnknownToken =>
    new UnknownToken('unauthenticated', 'The token is unknown or was signed out. Sign in again.'),
  expired: refused('The token has expired. Sign in again.'),
  /** The password, the second factor or the account changed after the token was issued. */
  revoked: refused('The token was revoked, because the account or its password has changed. Sign in again.'),
}
