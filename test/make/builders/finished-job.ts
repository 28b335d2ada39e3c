import type { TestService } from '../services/service.ts'

/** Waits for the end of a job, and answers it as the administrator reads it, or whose `token` it is. */
export async function finishedJob(
  service: TestService,
  id: number,
  withinMs = 200_000,
  token = service.admin.token,
): Promise<any> {
  for (const end = Date.now() + withinMs; Date.now() < end;) {
    const { body } = await service.api('GET', `/api/sys/jobs/${id}`, { token })
    if (body.data.status === 'done' || body.data.status === 'failed') return body.data
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`job ${id} did not end within ${withinMs} ms`)
}
