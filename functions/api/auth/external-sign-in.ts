import { beginOauth, type OauthDependencies } from '../../../shared/accounts/sign-in/providers/oauth/begin-oauth.ts'
import { describeSignIn } from '../../../shared/accounts/sign-in/providers/oauth/describe-sign-in.ts'
import { exchangeCode, finishOauth } from '../../../shared/accounts/sign-in/providers/oauth/finish-oauth.ts'
import { createOauthClients } from '../../../shared/accounts/sign-in/providers/oauth/oauth-client.ts'
import { requireOauthProvider } from '../../../shared/accounts/sign-in/providers/oauth/oauth-provider.ts'
import { stateLifeMs } from '../../../shared/accounts/sign-in/providers/oauth/sign-in-rows.ts'
import { logInSso } from '../../../shared/accounts/sign-in/providers/sso/log-in-sso.ts'
import { createProviderKeys } from '../../../shared/accounts/sign-in/providers/sso/provider-keys.ts'
import { environment, registrationIsOpen } from '../../../shared/kernel/runtime/environment.ts'
import { publicUrl, Redirect, Reply } from '../../../shared/platform/http/routing/envelope.ts'
import { type Implementation, implementOpen } from '../../../shared/platform/http/routing/implement.ts'
import { createFetchPublic } from '../../../shared/platform/net/guarded-request.ts'
import { accounts } from '../../wiring/accounts.ts'
import { tokenGuard } from '../../wiring/authenticate.ts'
import { secrets } from '../../wiring/platform/secrets.ts'
import * as route from './external-routes.ts'
import { readSignInOptions } from './session-routes.ts'

const settings = environment()
const { clock } = accounts
const fetchPublic = createFetchPublic({ loopbackAllowed: settings.LOOPBACK_TARGETS === 'allowed' })
const keysOf = createProviderKeys({ fetchPublic, clock })
const oauth: OauthDependencies = {
  ...accounts,
  settings,
  secrets,
  clientAt: createOauthClients({ fetchPublic, clock }),
  publicUrl: publicUrl(),
  appUrl: settings.APP_URL,
}

/** The prefix ties the cookie to this host, but browsers accept it with https only. */
const isSecure = oauth.publicUrl.startsWith('https:')
const cookieName = isSecure ? '__Host-sign-in' : 'sign-in'

/** `Lax`: the browser sends it when the provider leads back, but not with requests that other sites make. */
const cookie = (value: string, maxAgeSeconds: number): string =>
  `${cookieName}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`

const cookieValue = (cookies: readonly string[]): string | undefined =>
  cookies.find((one) => one.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1)

/** Sign-in at identity providers: with their tokens, or with the browser. */
export const externalSignIn: readonly Implementation[] = [
  implementOpen(readSignInOptions, async ({ query }) => ({
    providers: await describeSignIn(oauth, query.tenant),
    registration: registrationIsOpen(settings) ? ('open' as const) : ('closed' as const),
  })),
  implementOpen(route.logInSso, ({ body, headers }) =>
    logInSso({ ...accounts, settings, keysOf }, { token: body.token, userAgent: headers['user-agent'] }),
  ),
  implementOpen(route.redirectToProvider, async ({ params, query }) => {
    const { location, browserSecret } = await beginOauth(oauth, requireOauthProvider(params.provider), query)
    return new Redirect(location, { 'set-cookie': cookie(browserSecret, stateLifeMs / 1000) })
  }),
  implementOpen(route.returnFromProvider, async ({ params, query, cookies, headers }) => {
    const parameters = query as Readonly<Record<string, string | undefined>>
    const arrival = { parameters, browserSecret: cookieValue(cookies), userAgent: headers['user-agent'] }
    const outcome = await finishOauth(oauth, requireOauthProvider(params.provider), arrival)
    const ended = { 'set-cookie': cookie('', 0) }
    return 'location' in outcome ? new Redirect(outcome.location, ended) : new Reply(outcome.login, ended)
  }),
  implementOpen(route.exchangeCode, ({ body: { code }, headers, sourceIp }) =>
    tokenGuard.open({ token: code, sourceIp }, () =>
      exchangeCode(accounts, { code, userAgent: headers['user-agent'] }),
    ),
  ),
]
