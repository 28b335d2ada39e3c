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

/** Enters another company of the person. */
export async function switchCompany(slug: string): Promise<void> {
  const { token } = await api.post('/api/user/switch', { body: { tenant: slug } })
  await keepToken(token)
}

/** Signs out; somebody who acts as another user is back as himself or herself. */
export async function endSession(): Promise<void> {
  await api.delete('/api/session')
  forgetEverything()
}

/** The token of another sign-in becomes the cookie of this browser. */
export async function keepToken(token: string): Promise<void> {
  await api.post('/api/session', { body: { token } })
  forgetEverything()
}

/** Nothing of one session may be shown in another. */
export const forgetEverything = (): void => queryClient.clear()
