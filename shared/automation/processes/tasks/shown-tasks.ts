import type { Caller, Viewer } from '../../../kernel/principal.ts'
import { taskKey } from '../../../platform/store/keys/processes.ts'
import type { Store } from '../../../platform/store/store.ts'
import { isGiven } from '../people/task-rights.ts'
import { readTask, type ShownTask, type Task } from '../rows/task-row.ts'
import type { TaskAnswer } from '../schema.ts'
import { hasHiddenFields, readSights, type Sight } from '../sight/process-sight.ts'
import { type ActingDependencies, peopleOf } from './acting.ts'
import { describeStoredTasks, describeTask } from './describe-task.ts'

/** Tasks as a caller sees them: whoever was asked to do one sees all that the template gives them. */
export const shownTasks = (
  services: ActingDependencies,
  caller: Caller,
  tasks: readonly Task[],
): Promise<readonly ShownTask[]> =>
  withoutDerived(services.store, caller, tasks, async () => {
    const people = await peopleOf(services, caller)
    return (task) => isGiven(caller, task, people)
  })

/** A task as a caller sees it, in the shape of the API. */
export async function describeTaskTo(services: ActingDependencies, caller: Caller, task: Task): Promise<TaskAnswer> {
  const [shown = task] = await shownTasks(services, caller, [task])
  return describeTask(services, caller.tenant, shown)
}

/** Tasks without what fields went into that the viewer may not read, but for those that `given` finds. */
export async function withoutDerived(
  store: Pick<Store, 'get' | 'getMany'>,
  viewer: Viewer,
  tasks: readonly Task[],
  given?: () => Promise<(task: Task) => boolean>,
): Promise<readonly ShownTask[]> {
  const limited = tasks.filter(({ model }) => hasHiddenFields(viewer, model))
  if (limited.length === 0) return tasks
  const isTheirs = await given?.()
  const shown = new Map<number, ShownTask>()
  for (const [model, some] of Map.groupBy(limited, (task) => task.model)) {
    const left = isTheirs ? some.filter((task) => !isTheirs(task)) : some
    const sights = await readSights(
      store,
      viewer,
      model,
      left.map(({ instanceId }) => instanceId),
    )
    for (const task of left) shown.set(task.id, shownTask(task, sights(task.instanceId)))
  }
  return tasks.map((task) => shown.get(task.id) ?? task)
}

/** What people did with a task is theirs to tell, so it stands for what the template said before. */
function shownTask(task: Task, sight: Sight): ShownTask {
  const { elementId, history, form } = task
  const hides = (what: string): boolean => sight.hides(elementId, what)
  const isDone = (...actions: readonly string[]): boolean => history.some(({ what }) => actions.includes(what))
  const isAssignedByHand = isDone('claimed', 'reassigned', 'delegated', 'completed')
  const hidden: Partial<Task> = {
    ...(task.name !== null && hides('name') && { name: null }),
    ...(task.priority !== null && hides('priority') && { priority: null }),
    ...(task.dueAt !== null && !isDone('due_changed') && hides('due_at') && { dueAt: null }),
    ...(task.assignee !== null && !isAssignedByHand && hides('assignee') && { assignee: null }),
    ...(hides('candidates') && { candidateUsers: [], candidateRoles: [], candidateOrgUnits: [] }),
    ...(task.proposal !== null && hides('data') && { proposal: null }),
    ...(form.some(({ name }) => hides(`form.${name}`)) && {
      form: form.map(({ default: preset, ...field }) =>
        preset === undefined || hides(`form.${field.name}`) ? field : { ...field, default: preset },
      ),
    }),
  }
  return Object.keys(hidden).length === 0 ? task : { ...task, ...hidden, isHidden: true }
}

/** Tasks that have ended in the shape of the API, by id, as a viewer sees them. */
export async function readTasks(
  store: Pick<Store, 'get' | 'getMany'>,
  viewer: Viewer,
  ids: readonly number[],
): Promise<ReadonlyMap<number, TaskAnswer>> {
  if (ids.length === 0) return new Map()
  const { tenant } = viewer
  const items = await store.getMany(
    tenant,
    [...new Set(ids)].map((id) => taskKey(tenant, id)),
  )
  const found = items.filter((item) => item !== undefined).map(readTask)
  const tasks = await describeStoredTasks(store, tenant, await withoutDerived(store, viewer, found))
  return new Map(tasks.map((task) => [task.id, task]))
}
