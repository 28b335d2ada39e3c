import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type Schemas } from './client.ts'

export type Process = Schemas['InstanceHead']
export type WholeProcess = Schemas['InstanceAnswer']

/** The processes about a record, newest first. */
export const processesQuery = (model: string, id: number) =>
  queryOptions({
    queryKey: ['about', model, id, 'processes'],
    queryFn: async ({ signal }): Promise<readonly Process[]> =>
      (
        await api.get('/api/sys/process-instances', {
          params: { query: { model, record_id: id, per_page: 20 } },
          signal,
        })
      ).data,
  })

/** What a process waits for, and what it has done. */
export const processQuery = (model: string, record: number, id: number) =>
  queryOptions({
    queryKey: ['about', model, record, 'process', id],
    queryFn: async ({ signal }): Promise<WholeProcess> =>
      (await api.get('/api/sys/process-instances/{id}', { params: { path: { id } }, signal })).data,
  })

/** The picture of a process as SVG, in the colours of a theme. */
export const pictureQuery = (model: string, record: number, id: number, theme: 'light' | 'dark') =>
  queryOptions({
    queryKey: ['about', model, record, 'process', id, 'picture', theme],
    queryFn: async ({ signal }): Promise<string> =>
      api.get('/api/sys/process-instances/{id}/diagram.svg', {
        params: { path: { id }, query: { theme } },
        parseAs: 'text',
        signal,
      }),
  })

/** What people do to a process. */
export type Operation =
  | { readonly do: 'suspend' | 'resume' | 'retry' }
  | { readonly do: 'cancel'; readonly reason: string }
  | { readonly do: 'variables'; readonly set: Readonly<Record<string, unknown>>; readonly remove: readonly string[] }
  | { readonly do: 'begin'; readonly element: string; readonly pass: string; readonly key: string }

function send(id: number, operation: Operation): Promise<{ readonly data: WholeProcess }> {
  const params = { path: { id } }
  switch (operation.do) {
    case 'suspend':
      return api.post('/api/sys/process-instances/{id}/suspend', { params })
    case 'resume':
      return api.post('/api/sys/process-instances/{id}/resume', { params })
    case 'retry':
      return api.post('/api/sys/process-instances/{id}/retry', { params })
    case 'cancel': {
      const { reason } = operation
      return api.post('/api/sys/process-instances/{id}/cancel', { params, body: reason === '' ? {} : { reason } })
    }
    case 'variables': {
      const { set, remove } = operation
      return api.post('/api/sys/process-instances/{id}/variables', { params, body: { set, remove: [...remove] } })
    }
    case 'begin':
      return api.post('/api/sys/process-instances/{id}/activities', {
        params: { ...params, header: { 'Idempotency-Key': operation.key } },
        body: { element_id: operation.element, execution_id: operation.pass },
      })
  }
}

/** Operates a process of a record; what it answers is shown at once. */
export function useOperate(model: string, record: number, id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (operation: Operation) => (await send(id, operation)).data,
    onSuccess: (whole) => client.setQueryData(processQuery(model, record, id).queryKey, whole),
    onSettled: () =>
      Promise.all(
        [['about', model, record], ['records', model], ['form', model], ['my-work']].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  })
}
