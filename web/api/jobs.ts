import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas } from './client.ts'

export interface Progress {
  readonly done: number
  readonly total: number
}
export type Job = Schemas['JobAnswer']

const pollMs = 700

/** Waits for a job, and answers what it made. */
export async function resultOf<Result>(job: number, onProgress?: (progress: Progress) => void): Promise<Result> {
  for (;;) {
    const { data } = await api.get('/api/sys/jobs/{id}', { params: { path: { id: job } } })
    if (data.status === 'done') return data.result as Result
    if (data.status === 'failed') throw new Error(data.errors[0]?.message ?? `Job ${job} failed.`)
    if (data.total !== null) onProgress?.({ done: data.done, total: data.total })
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

export const isRunning = ({ status }: Pick<Job, 'status'>): boolean => status === 'queued' || status === 'running'

/** A job, asked for again until it has ended. */
export const jobQuery = (id: number) =>
  queryOptions({
    queryKey: ['jobs', id],
    queryFn: async ({ signal }): Promise<Job> =>
      (await api.get('/api/sys/jobs/{id}', { params: { path: { id } }, signal })).data,
    refetchInterval: ({ state: { data, error } }) => (error || (data && !isRunning(data)) ? false : pollMs),
  })
