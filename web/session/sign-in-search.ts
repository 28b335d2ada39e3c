/** What the address of the sign-in says. */
export interface SignInSearch {
  /** Where to go afterwards. */
  readonly to?: string
  /** The one-time code of a provider's sign-in, or why it failed. */
  readonly code?: string
  readonly error?: string
  /** The company whose providers are offered, where the service has several. */
  readonly tenant?: string
}

/** Only an address of the app is gone to: another site could have made the link. */
export function readSignInSearch({ to, code, error, tenant }: Record<string, unknown>): SignInSearch {
  const isOwn = typeof to === 'string' && /^\/(?![/\\])/.test(to)
  return {
    ...(isOwn && { to }),
    ...(typeof code === 'string' && { code }),
    ...(typeof error === 'string' && { error }),
    ...(typeof tenant === 'string' && { tenant }),
  }
}
