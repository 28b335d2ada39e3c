import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas } from './client.ts'

/** How people may sign in here. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: async ({ signal }): Promise<Schemas['SignInOptions']> => (await api.get('/api/session', { signal })).data,
  staleTime: Infinity,
})
