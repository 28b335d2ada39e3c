import { revokeToken } from '../../../shared/accounts/sessions/issue-token.ts'
import { logIn } from '../../../shared/accounts/sign-in/login.ts'
import { Unauthenticated } from '../../../shared/kernel/failures/faults.ts'
import { requirePerson } from '../../../shared/kernel/failures/permission-missing.ts'
import type { Caller } from '../../../shared/kernel/principal.ts'
import { mayFail } from '../../../shared/kernel/runtime/log.ts'
import { Reply } from '../../../shared/platform/http/routing/envelope.ts'
import { type Implementation, implementOpen } from '../../../shared/platform/http/routing/implement.ts'
import {
  type CookieSession,
  readSessionCookie,
  sessionCookie,
} from '../../../shared/platform/http/routing/session-cookie.ts'
import { accounts } from '../../wiring/accounts.ts'
import { authenticate, tokenGuard } from '../../wiring/authenticate.ts'
import { beginBrowserSession, endBrowserSession } from './session-routes.ts'

/** Sign-in and sign-out of a browser, whose token is in a cookie that no script can read. */
export const browserSession: readonly Implementation[] = [
  implementOpen(beginBrowserSession, async ({ body, sourceIp, headers, cookies }) => {
    const { email = '', password = '', tenant, token } = body
    const before = readSessionCookie(cookies)
    if (token === undefined) {
      const login = await logIn(accounts, { email, password, tenant, sourceIp, userAgent: headers['user-agent'] })
      if ('mfa_required' in login) return login
      await endReplaced(before, login.token)
      return new Reply({ user: login.user, tenant: login.tenant }, sessionCookie({ token: login.token }))
    }
    const caller = await tokenGuard.open({ token, sourceIp }, () => callerOf(token))
    requirePerson(caller)
    const ownToken = await ownTokenOf(caller, before)
    if (ownToken === undefined) await endReplaced(before, token)
    return new Reply(describeLogin(caller), sessionCookie({ token, ownToken }))
  }),
  implementOpen(endBrowserSession, async ({ headers, cookies }) => {
    const { authorization } = headers
    const session = readSessionCookie(cookies)
    // Without a cookie that counts, and without a token, nobody is signed in. A session that has ended is removed.
    if (session === undefined || authorization !== `Bearer ${session.token}`) await end(authorization)
    else await end(authorization).catch(ignoreEnded)
    return new Reply(undefined, sessionCookie(session?.ownToken ? { token: session.ownToken } : undefined))
  }),
]

const callerOf = async (token: string): Promise<Caller> => (await authenticate(`Bearer ${token}`, () => [])).caller

/** What the sign-in that issued the caller's token answered. */
const describeLogin = ({ userId, name, email, roles, tenant, impersonatorId, impersonatorName = '' }: Caller) => ({
  user: { id: userId, name, email, roles: [...roles] },
  tenant: { slug: tenant.slug, name: tenant.name },
  ...(impersonatorId !== undefined && { impersonator: { id: impersonatorId, name: impersonatorName } }),
})

/** The session before, if it is the one of the administrator who acts as the caller. */
async function ownTokenOf(caller: Caller, before: CookieSession | undefined): Promise<string | undefined> {
  if (caller.impersonatorId === undefined || before === undefined) return undefined
  const own = before.ownToken ?? before.token
  const administrator = await callerOf(own).catch(ignoreEnded)
  const isOwn = administrator?.userId === caller.impersonatorId && administrator.tenant.id === caller.tenant.id
  return isOwn ? own : undefined
}

/** A browser that gets another session cannot reach the one before any more. */
async function endReplaced(before: CookieSession | undefined, token: string): Promise<void> {
  if (before === undefined) return
  const left = [before.token, before.ownToken].filter((one) => one !== undefined && one !== token)
  await mayFail('end the session before', () => Promise.all(left.map((one) => end(`Bearer ${one}`).catch(ignoreEnded))))
}

/** Revokes the token of an `Authorization` header. Throws Unauthenticated. */
async function end(authorization: string | undefined): Promise<void> {
  const { caller } = await authenticate(authorization, () => [])
  requirePerson(caller)
  await revokeToken(accounts, caller.tenant, caller, caller.tokenNumber)
}

function ignoreEnded(error: unknown): undefined {
  if (error instanceof Unauthenticated) return undefined
  throw error
}
