import { queryOptions } from '@tanstack/react-query'
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

/** The document of the version of a template, with a diagram. It never changes. */
export const diagramQuery = ({ id, version }: Process['template']) =>
  queryOptions({
    queryKey: ['process-templates', id, version, 'layout'],
    queryFn: async ({ signal }) =>
      (
        await api.get('/api/sys/process-templates/{id}', {
          params: { path: { id }, query: { version, layout: 'true' } },
          signal,
        })
      ).data,
    staleTime: Infinity,
  })
