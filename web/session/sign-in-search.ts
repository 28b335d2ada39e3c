/** What the address of the sign-in says. What it says wrongly is undefined: the router would keep a member that is left out. */
export interface SignInSearch {
  /** Where to go afterwards: a path of the app. */
  readonly to?: string | undefined
  /** The one-time code of a provider's sign-in, or why it failed. */
  readonly code?: string | undefined
  readonly error?: string | undefined
  /** The company whose providers are offered, where the service has several. */
  readonly tenant?: string | undefined
}

export function readSignInSearch({ to, code, error, tenant }: Record<string, unknown>): SignInSearch {
  return { to: ownPath(to), code: textOf(code), error: textOf(error), tenant: textOf(tenant) }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Any host would do: a path leads to the same one whatever it is. */
const anyOrigin = 'https://app.invalid'

/**
 * A path of the app, as the browser reads it; undefined for everything else, because another site could have made the
 * link. Browsers drop tabs and line breaks, take a backslash for a slash and leave out dots before a path begins with two.
 */
export function ownPath(to: unknown): string | undefined {
  if (typeof to !== 'string' || !to.startsWith('/')) return undefined
  const url = URL.parse(to, anyOrigin)
  if (url?.origin !== anyOrigin || url.username !== '' || /^\/(?:[/\\]|%2f|%5c)/i.test(url.pathname)) return undefined
  return url.pathname + url.search + url.hash
}
