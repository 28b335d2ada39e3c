import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas } from './client.ts'

/** How people may sign in here. `tenant`: the slug of their company, where the service has several. */
export const signInOptionsQuery = (tenant: string | undefined) =>
  queryOptions({
    queryKey: ['sign-in-options', tenant],
    queryFn: async ({ signal }): Promise<Schemas['SignInOptions']> =>
      (await api.get('/api/session', { params: { query: { tenant } }, signal })).data,
    staleTime: Infinity,
  })
