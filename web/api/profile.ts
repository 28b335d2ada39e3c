import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type Schemas } from './client.ts'
import { sessionQuery } from './session.ts'

export type Preferences = Schemas['PreferencesAnswer']

/** Where the person is signed in. */
export const sessionsQuery = queryOptions({
  queryKey: ['profile', 'sessions'],
  queryFn: async ({ signal }) =>
    (await api.get('/api/user/sessions', { params: { query: { per_page: 100 } }, signal })).data,
})

export function useEndSessions() {
  const client = useQueryClient()
  return useMutation({
    /** One of the sessions, or all others. */
    mutationFn: (id: number | 'others') =>
      id === 'others'
        ? api.delete('/api/user/sessions')
        : api.delete('/api/user/sessions/{id}', { params: { path: { id } } }),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
}

/** Which notifications reach the person, and how. */
export const preferencesQuery = queryOptions({
  queryKey: ['profile', 'preferences'],
  queryFn: async ({ signal }): Promise<Preferences> => (await api.get('/api/user/preferences', { signal })).data,
})

export function useChangePreferences() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Partial<Preferences>) => api.put('/api/user/preferences', { body }),
    onMutate: (body) => client.setQueryData(preferencesQuery.queryKey, (known) => known && { ...known, ...body }),
    onSettled: () => client.invalidateQueries({ queryKey: preferencesQuery.queryKey }),
  })
}

export function useChangeAccount() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Schemas['OwnAccountBody']) => api.put('/api/user', { body }),
    onSuccess: ({ data }) => client.setQueryData(sessionQuery.queryKey, data),
  })
}

/** The API keys of the company; administrators have them. */
export const apiKeysQuery = queryOptions({
  queryKey: ['profile', 'api-keys'],
  queryFn: async ({ signal }) =>
    (await api.get('/api/sys/api-keys', { params: { query: { per_page: 100 } }, signal })).data,
})

export function useCreateApiKey() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: Schemas['NewApiKeyBody']) => (await api.post('/api/sys/api-keys', { body })).data,
    onSettled: () => client.invalidateQueries({ queryKey: apiKeysQuery.queryKey }),
  })
}

export function useRevokeApiKey() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => api.delete('/api/sys/api-keys/{id}', { params: { path: { id } } }),
    onSettled: () => client.invalidateQueries({ queryKey: apiKeysQuery.queryKey }),
  })
}

/** The names of the roles of the company. */
export const roleNamesQuery = queryOptions({
  queryKey: ['roles'],
  queryFn: async ({ signal }) =>
    (await api.get('/api/sys/roles', { params: { query: { per_page: 100 } }, signal })).data.map(({ name }) => name),
  staleTime: 5 * 60_000,
})

/** A code that links one chat with the account. */
export const useLinkMessenger = () =>
  useMutation({ mutationFn: async () => (await api.post('/api/user/messenger-link')).data })

export function useUnlinkMessenger() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.delete('/api/user/messenger-link'),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  })
}

export const useSetUpSecondFactor = () =>
  useMutation({
    mutationFn: async (password: string) => (await api.post('/api/user/mfa', { body: { password } })).data,
  })

export function useConfirmSecondFactor() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (code: string) => api.post('/api/user/mfa/confirm', { body: { code } }),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  })
}

export function useRemoveSecondFactor() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (code: string) => api.delete('/api/user/mfa', { body: { code } }),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  })
}
