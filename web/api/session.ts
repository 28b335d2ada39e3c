import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas } from './client.ts'
import { queryClient } from './query-client.ts'

export type CurrentUser = Schemas['CurrentUser']

/** Who is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<CurrentUser> => (await api.get('/api/user', { signal })).data,
  staleTime: 5 * 60_000,
})

/** What a sign-in needs next: nothing, or the code of the second factor. */
export type SignInStep = { readonly done: true } | { readonly done: false; readonly mfaToken: string }

/** Signs in with address and password. */
export async function signIn(given: { email: string; password: string; tenant?: string }): Promise<SignInStep> {
  const { data } = await api.post('/api/session', { body: given })
  if ('mfa_required' in data) return { done: false, mfaToken: data.mfa_token }
  forgetEverything()
  return { done: true }
}

/** Signs in with the code of the second factor. */
export async function signInWithCode(mfaToken: string, code: string): Promise<void> {
  const { token } = await api.post('/api/login-mfa', { body: { mfa_token: mfaToken, code } })
  await keepToken(token)
}

/** Signs in with the code that a provider's sign-in brought back. */
export async function signInWithExchange(code: string): Promise<void> {
  const { token } = await api.post('/api/auth/exchange', { body: { code } })
  await keepToken(token)
}

/** Enters another company of the person. */
export async function switchCompany(slug: string): Promise<void> {
  const { token } = await api.post('/api/user/switch', { body: { tenant: slug } })
  await keepToken(token)
}

/** An administrator acts as somebody else, until the session is ended. */
export async function actAs(userId: number): Promise<void> {
  const { token } = await api.post('/api/impersonate/{user_id}', { params: { path: { user_id: userId } } })
  await keepToken(token)
}

/** Signs out; somebody who acts as another user is back as himself or herself. */
export async function endSession(): Promise<void> {
  await api.delete('/api/session')
  forgetEverything()
}

/** The token of another sign-in becomes the cookie of this browser. */
async function keepToken(token: string): Promise<void> {
  await api.post('/api/session', { body: { token } })
  forgetEverything()
}

/** Nothing of one session may be shown in another. */
const forgetEverything = (): void => queryClient.clear()
