import { api } from './client.ts'

export interface Progress {
  readonly done: number
  readonly total: number
}

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
