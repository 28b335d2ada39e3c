import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Task } from './about-record.ts'
import { api } from './client.ts'

/** What people do with a task besides completing it. */
export type TaskChange =
  | { readonly do: 'claim' | 'unclaim' }
  | { readonly do: 'reassign' | 'delegate'; readonly to: number }
  | { readonly do: 'due'; readonly at: string | null }

function send({ id, version }: Task, change: TaskChange): Promise<{ readonly data: Task }> {
  const params = { path: { id } }
  switch (change.do) {
    case 'claim':
      return api.post('/api/sys/process-tasks/{id}/claim', { params })
    case 'unclaim':
      return api.post('/api/sys/process-tasks/{id}/unclaim', { params })
    case 'reassign':
      return api.post('/api/sys/process-tasks/{id}/reassign', { params, body: { assignee: change.to } })
    case 'delegate':
      return api.post('/api/sys/process-tasks/{id}/delegate', { params, body: { to: change.to } })
    case 'due':
      return api.patch('/api/sys/process-tasks/{id}', { params, body: { due_at: change.at, version } })
  }
}

/** Changes who has a task, or when it is due. */
export function useChangeTask(task: Task) {
  const client = useQueryClient()
  const about = ['about', task.model, task.record_id]
  return useMutation({
    mutationFn: async (change: TaskChange) => (await send(task, change)).data,
    onSuccess(changed) {
      const replace = (known: readonly Task[] | undefined) =>
        known?.map((one) => (one.id === changed.id ? { ...one, ...changed } : one))
      for (const queryKey of [
        [...about, 'tasks'],
        ['my-work', 'tasks'],
      ])
        client.setQueryData(queryKey, replace)
    },
    onSettled: () =>
      Promise.all([about, ['my-work', 'tasks']].map((queryKey) => client.invalidateQueries({ queryKey }))),
  })
}

/** Completes a task, with what its form was filled in with. */
export function useCompleteTask(model: string, id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ task, ...body }: { task: number; outcome?: string; data?: Record<string, unknown> }) =>
      api.post('/api/sys/process-tasks/{id}/complete', { params: { path: { id: task } }, body }),
    onSettled: () =>
      Promise.all(
        [['about', model, id], ['records', model], ['form', model], ['my-work']].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  })
}
