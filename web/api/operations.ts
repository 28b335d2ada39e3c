import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'
import { api, type Schemas } from './client.ts'
import type { Process } from './processes.ts'

export type ProcessStatus = Process['status']
export type Incident = Pick<Schemas['IncidentAnswer'], 'element_id' | 'message' | 'created_at'>

/** Which processes are listed: those of a status, of one template or of all. */
export interface ProcessSelection {
  readonly status: ProcessStatus
  readonly template?: number | undefined
}

const refreshMs = 30_000

/** The processes of a company, newest first. For administrators. */
export const allProcessesQuery = ({ status, template }: ProcessSelection) =>
  infiniteQueryOptions({
    queryKey: ['operations', 'processes', status, template ?? 0],
    queryFn: ({ pageParam, signal }) =>
      api.get('/api/sys/process-instances', {
        params: {
          query: {
            status,
            per_page: 25,
            ...(template !== undefined && { template_id: template }),
            ...(pageParam && { cursor: pageParam }),
          },
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })

/** What failed last in each process that waits for somebody: the newest 100. */
export const incidentsQuery = queryOptions({
  queryKey: ['operations', 'incidents'],
  queryFn: async ({ signal }): Promise<ReadonlyMap<number, Incident>> => {
    const query = { status: 'open', per_page: 100 } as const
    const { data } = await api.get('/api/sys/incidents', { params: { query }, signal })
    return new Map(data.toReversed().map((incident) => [incident.instance_id, incident]))
  },
  refetchInterval: refreshMs,
})

/** What failed last in one process, or in one that it called. */
export const incidentQuery = (id: number) =>
  queryOptions({
    queryKey: ['operations', 'incidents', id],
    queryFn: async ({ signal }): Promise<Incident | null> => {
      const { data } = await api.get('/api/sys/process-instances/{id}', { params: { path: { id } }, signal })
      return data.incidents.find(({ status }) => status === 'open') ?? null
    },
  })

/** The templates of processes, by name. */
export const templatesQuery = queryOptions({
  queryKey: ['operations', 'templates'],
  queryFn: async ({ signal }): Promise<readonly Schemas['TemplateHead'][]> =>
    (await api.get('/api/sys/process-templates', { params: { query: { per_page: 100, sort: 'name' } }, signal })).data,
  staleTime: 5 * 60_000,
})

export type BulkAction = 'retry' | 'cancel' | 'suspend' | 'resume'

/** What is done to many processes, and to which: those that were chosen, or all of a selection. */
export interface BulkOperation {
  readonly action: BulkAction
  readonly which: readonly number[] | ProcessSelection
  readonly reason?: string
}

/** What a job did to many processes. */
export interface BulkOutcome {
  readonly matched: number
  readonly done: number
  /** They were already as they should become. */
  readonly skipped: number
  readonly failed: number
  /** More match than one job takes. */
  readonly has_more: boolean
}

/** The filter of the service for what was chosen. */
export const filterOf = (which: BulkOperation['which']): Readonly<Record<string, unknown>> =>
  'status' in which
    ? { status: which.status, ...(which.template !== undefined && { template_id: which.template }) }
    : { id: { _in: which } }

/** Starts a job that does the same to many processes; answers its id. */
export const useBulkOperate = () =>
  useMutation({
    mutationFn: async ({ action, which, reason }: BulkOperation): Promise<number> => {
      const body = { filter: filterOf(which), action, ...(reason && { reason }) }
      return (await api.post('/api/sys/process-instances/bulk', { body })).data.job_id
    },
  })
