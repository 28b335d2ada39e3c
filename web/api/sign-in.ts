import { api } from './client.ts'
import { forgetEverything, keepToken } from './session.ts'

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

/** An administrator acts as somebody else, until the session is ended. */
export async function actAs(userId: number): Promise<void> {
  const { token } = await api.post('/api/impersonate/{user_id}', { params: { path: { user_id: userId } } })
  await keepToken(token)
}
