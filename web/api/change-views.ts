import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from './client.ts'
import { type View, viewCountsQuery, type ViewInput, viewsQuery } from './views.ts'

/** Saves a new view, or changes one of which somebody may have changed something else meanwhile. */
export function useSaveView(model: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ view, changes }: { view?: View; changes: ViewInput }): Promise<View> => {
      const answer = view
        ? await api.put('/api/sys/views/{id}', {
            params: { path: { id: view.id } },
            body: { ...changes, version: view.version },
          })
        : await api.post('/api/sys/views', { body: { ...changes, model } })
      return answer.data
    },
    onSuccess(saved) {
      client.setQueryData(viewsQuery(model).queryKey, (views = []) =>
        [...views.filter(({ id }) => id !== saved.id), saved].toSorted((a, b) => a.name.localeCompare(b.name)),
      )
    },
    onSettled: () => refresh(client, model),
  })
}

export function useDeleteView(model: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: View) => api.delete('/api/sys/views/{id}', { params: { path: { id } } }),
    onSuccess: (_nothing, { id }) =>
      client.setQueryData(viewsQuery(model).queryKey, (views) => views?.filter((one) => one.id !== id)),
    onSettled: () => refresh(client, model),
  })
}

const refresh = (client: ReturnType<typeof useQueryClient>, model: string) =>
  Promise.all([
    client.invalidateQueries({ queryKey: viewsQuery(model).queryKey }),
    client.invalidateQueries({ queryKey: viewCountsQuery(model).queryKey }),
  ])
