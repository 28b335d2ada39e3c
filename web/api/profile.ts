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
    mutationFn: (body: Preferences) => api.put('/api/user/preferences', { body }),
    onMutate: (body) => client.setQueryData(preferencesQuery.queryKey, body),
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
