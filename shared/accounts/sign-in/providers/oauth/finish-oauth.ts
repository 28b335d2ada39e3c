import { timingSafeEqual } from 'node:crypto'
import { Unauthenticated } from '../../../../kernel/failures/faults.ts'
import { hashSecret, makeSecret } from '../../../credentials/token.ts'
import { findPerson } from '../../../people/person.ts'
import { findUser } from '../../../people/user.ts'
import { findTenant } from '../../../tenants/find-tenant.ts'
import { enterTenant, type LoginResult } from '../../login.ts'
import { checkClaims, type ExternalIdentity, readIdentity } from '../identity-claims.ts'
import { refuseAlike, RefusedSignIn } from '../refused-sign-in.ts'
import { type Admission, admitExternal } from '../sign-in-external.ts'
import { callbackUrl, type OauthDependencies } from './begin-oauth.ts'
import { briefly } from './oauth-client.ts'
import { findOauthProvider, type OauthProvider, type OauthProviderName } from './oauth-provider.ts'
import { endState, findState, keepCode, type SignInState, takeCode } from './sign-in-rows.ts'

/** What the browser brings back from the provider. */
interface Arrival {
  /** `state`, `code`, `iss` or `error`, as the provider sent them. */
  readonly parameters: Readonly<Record<string, string | undefined>>
  /** The secret in the cookie. */
  readonly browserSecret: string | undefined
  readonly userAgent: string | undefined
}

/** A login result, or the address in the app that takes over. */
type OauthOutcome = { readonly login: LoginResult } | { readonly location: string }

/**
 * Finishes a sign-in at a provider. When it began in an app, the browser returns there with a one-time code, or with
 * `error`. Throws Unauthenticated, the same for everything that may be wrong.
 */
export async function finishOauth(
  oauth: OauthDependencies,
  name: OauthProviderName,
  arrival: Arrival,
): Promise<OauthOutcome> {
  const state = await refuseAlike(name, () => takeState(oauth, name, arrival))
  const back = (query: Record<string, string>) => ({
    location: addressInApp(oauth.appUrl ?? oauth.publicUrl, state.redirect, query),
  })
  try {
    const admission = await refuseAlike(name, () => admit(oauth, name, state, arrival))
    const { person, tenant, user, kind } = admission
    const { userAgent } = arrival
    if (!isFromApp(oauth, state)) return { login: await enterTenant(oauth, person, admission, { kind, userAgent }) }
    const code = makeSecret(oauth.clock)
    const { credentialVersion } = user
    await keepCode(oauth, code, { tenantId: tenant.id, userId: user.id, kind, credentialVersion })
    return back({ code })
  } catch (error) {
    if (!(error instanceof Unauthenticated) || !isFromApp(oauth, state)) throw error
    return back({ error: error.code })
  }
}

/** Signs in with the one-time code of a finished sign-in. Throws Unauthenticated when it is unknown, used or expired. */
export const exchangeCode = (
  oauth: Pick<OauthDependencies, 'store' | 'clock'>,
  { code, userAgent }: { readonly code: string; readonly userAgent: string | undefined },
): Promise<LoginResult> =>
  refuseAlike('exchange', async () => {
    const finished = await takeCode(oauth, code)
    if (!finished) throw new RefusedSignIn('the code is unknown, used or expired')
    const { store } = oauth
    const [tenant, user] = await Promise.all([
      findTenant(store, finished.tenantId),
      findUser(store, { id: finished.tenantId }, finished.userId),
    ])
    const person = user?.email ? await findPerson(store, user.email) : undefined
    if (!tenant || !user?.isActive || !person || user.credentialVersion !== finished.credentialVersion)
      throw new RefusedSignIn('the user has changed')
    return enterTenant(oauth, person, { tenant, user }, { kind: finished.kind, userAgent })
  })

/** The state that the provider returned. It works once, and only in the browser that began the sign-in. */
async function takeState(
  oauth: OauthDependencies,
  name: OauthProviderName,
  { parameters, browserSecret }: Arrival,
): Promise<SignInState> {
  const state = parameters.state === undefined ? undefined : await findState(oauth, parameters.state)
  if (!state || state.provider !== name) throw new RefusedSignIn('the state is unknown or expired')
  const isSameBrowser =
    browserSecret !== undefined &&
    timingSafeEqual(hashSecret(browserSecret), Buffer.from(state.browserHash, 'base64url'))
  if (!isSameBrowser) throw new RefusedSignIn('the sign-in began in another browser')
  if (!(await endState(oauth, parameters.state as string))) throw new RefusedSignIn('the state has been used')
  return state
}

async function admit(
  oauth: OauthDependencies,
  name: OauthProviderName,
  state: SignInState,
  { parameters }: Arrival,
): Promise<Admission> {
  const tenant = await findTenant(oauth.store, state.tenantId)
  const provider = tenant && (await findOauthProvider(oauth, tenant, name))
  if (!tenant || !provider) throw new RefusedSignIn('the provider is no longer set up')
  const identity = await identify(oauth, name, provider, state, parameters)
  // The company's own provider may say nothing of it, as in the tokens that it exchanges: it is believed for its domains alone.
  if (identity.emailVerified !== true && name !== 'sso')
    throw new RefusedSignIn('the provider has not verified the address')
  return admitExternal(oauth, tenant, identity, provider.authority)
}

async function identify(
  { clientAt, publicUrl, clock }: OauthDependencies,
  name: OauthProviderName,
  provider: OauthProvider,
  { nonce, verifier }: SignInState,
  parameters: Arrival['parameters'],
): Promise<ExternalIdentity> {
  const client = await clientAt(provider)
  const openid = await import('openid-client')
  const address = new URL(callbackUrl(publicUrl, name))
  for (const [key, value] of Object.entries(parameters)) if (value !== undefined) address.searchParams.set(key, value)
  try {
    const tokens = await openid.authorizationCodeGrant(client, address, {
      expectedState: parameters.state as string,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new Error('there is no ID token')
    checkClaims(claims, client.clientMetadata().client_id, clock.now())
    // Providers may tell the address to those who ask for it only (OpenID Connect Core §5.4).
    const asksMore = claims.email === undefined && client.serverMetadata().userinfo_endpoint !== undefined
    const more = asksMore ? await openid.fetchUserInfo(client, tokens.access_token, claims.sub) : {}
    const identity = readIdentity(provider.issuer, { ...more, ...claims }, provider.groupsClaim)
    if (identity) return identity
  } catch (error) {
    throw error instanceof RefusedSignIn ? error : new RefusedSignIn(briefly(error))
  }
  throw new RefusedSignIn('the provider names no valid e-mail address')
}

/** The page of the service's own app that takes the code. */
const ownSignIn = /^\/sign-in(\?|$)/

const isFromApp = ({ appUrl }: OauthDependencies, { redirect }: SignInState): boolean =>
  redirect !== null && (appUrl !== undefined || ownSignIn.test(redirect))

/** An address in the app. Its path was checked when the sign-in began. */
function addressInApp(appUrl: string, path: string | null, query: Record<string, string>): string {
  const url = new URL(`${appUrl.replace(/\/+$/, '')}${path}`)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}
