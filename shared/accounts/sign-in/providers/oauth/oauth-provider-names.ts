import { NotFound } from '../../../../kernel/failures/faults.ts'

/** The providers that people sign in at with their browser. `sso`: the identity provider of the company itself. */
export const oauthProviderNames = ['google', 'microsoft', 'sso'] as const
export type OauthProviderName = (typeof oauthProviderNames)[number]

/** Throws NotFound for any other name. */
export function requireOauthProvider(name: string): OauthProviderName {
  const known = oauthProviderNames.find((one) => one === name)
  if (!known) throw new NotFound('provider', { name })
  return known
}
