/** The providers that people sign in at with their browser. */
export const oauthProviderNames = ['google', 'microsoft'] as const
export type OauthProviderName = (typeof oauthProviderNames)[number]
