import { Fault, Forbidden, Unauthenticated } from '../../../kernel/failures/faults.ts'
import { environment } from '../../../kernel/runtime/environment.ts'
import { publicUrl } from './envelope.ts'
import type { HttpEvent } from './http-event.ts'

/** What the session cookie of a browser holds. */
export interface CookieSession {
  readonly token: string
  /** Of an administrator who acts as somebody else: the own token, to which the end of that returns. */
  readonly ownToken?: string | undefined
}

/** Neither character is part of a token. */
const separator = '~'
/** As long as a token lives; whether it is still valid is checked with each request. */
const cookieLifeSeconds = 30 * 86_400

const isSecure = (): boolean => publicUrl().startsWith('https:')
/** The prefix ties the cookie to this host, but browsers accept it with https only. */
const cookieName = (): string => (isSecure() ? '__Host-session' : 'session')

/** The session of a browser, whether it counts or not. */
export function readSessionCookie(cookies: readonly string[] = []): CookieSession | undefined {
  const start = `${cookieName()}=`
  const value = cookies.find((one) => one.startsWith(start))?.slice(start.length)
  if (!value) return undefined
  const [token = '', ownToken] = value.split(separator)
  return { token, ownToken }
}

/** The header that stores a session in the browser; without one, that removes it. */
export function sessionCookie(session: CookieSession | undefined): { readonly 'set-cookie': string } {
  const value = session ? [session.token, session.ownToken].filter(Boolean).join(separator) : ''
  const lifeSeconds = session ? cookieLifeSeconds : 0
  const attributes = `Path=/; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Strict${isSecure() ? '; Secure' : ''}`
  return { 'set-cookie': `${cookieName()}=${value}; ${attributes}` }
}

/** Other sites cannot set this header without asking first, so they cannot use the cookie. */
const isOfApp = ({ headers }: HttpEvent): boolean => headers['x-requested-by'] === 'app'

/**
 * Whether a page of another origin sent the request. Browsers that do not say so by `Sec-Fetch-Site` name the origin of a
 * page that writes; what is no browser names neither.
 */
function isOfOtherPage({ headers }: HttpEvent): boolean {
  const { origin, host = '', 'sec-fetch-site': site } = headers
  if (site === 'cross-site' || site === 'same-site') return true
  if (origin === undefined) return false
  const page = URL.parse(origin)
  const own = [`${page?.protocol}//${host}`, publicUrl(), environment().APP_URL ?? '']
  return page === null || !own.some((address) => URL.parse(address)?.host === page.host)
}

/** The request with the session cookie as its bearer token, where the cookie counts and no token is given. */
export function withSessionToken(event: HttpEvent): HttpEvent {
  if (event.headers.authorization !== undefined || !isOfApp(event) || isOfOtherPage(event)) return event
  const session = readSessionCookie(event.cookies)
  return session ? { ...event, headers: { ...event.headers, authorization: `Bearer ${session.token}` } } : event
}

/** Throws Unauthenticated for a request whose only credential is a cookie that does not count. */
export function refuseBareCookie(event: HttpEvent): void {
  if (event.headers.authorization !== undefined || !readSessionCookie(event.cookies)) return
  throw new Unauthenticated(
    'unauthenticated',
    isOfApp(event)
      ? 'The session cookie counts only for pages of this service. Send the header "Authorization: Bearer <token>".'
      : 'The session cookie counts only with the header "X-Requested-By: app". Send it, or the header "Authorization: Bearer <token>".',
  )
}

/**
 * For routes that set the cookie: a form of another page could sign the browser in to an account of its own. Throws Forbidden
 * for pages of other origins, and a Fault for a body that is not said to be JSON, which forms cannot say.
 */
export function refuseOtherPages(event: HttpEvent): void {
  if (isOfOtherPage(event))
    throw new Forbidden('forbidden', 'Only the pages of this service may begin or end its session.')
  const [type = ''] = (event.headers['content-type'] ?? '').split(';')
  if (event.body && type.trim().toLowerCase() !== 'application/json')
    throw new Fault(
      'unsupported_media_type',
      'Send the body as JSON, with the header "Content-Type: application/json".',
    )
}
