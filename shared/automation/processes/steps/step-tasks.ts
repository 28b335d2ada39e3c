import { userOfAddress } from '../../../accounts/people/lookup/user-of-address.ts'
import { own } from '../../../kernel/collections/own-members.ts'
import { Fault } from '../../../kernel/failures/faults.ts'
import { maxOpenedTaskBytes, maxTaskBytes } from '../../../kernel/limits/processes.ts'
import { reserveIds } from '../../../platform/store/sequence/sequence.ts'
import { scopesAround } from '../../bpmn/engine/stored-state.ts'
import { executionScopes } from '../../bpmn/process.ts'
import type { Advance, Wait } from '../../bpmn/schema.ts'
import type { ExpressionScope } from '../evaluate/step-expressions.ts'
import { type Task, taskSequence } from '../rows/task-row.ts'
import { newTask } from './new-task.ts'
import { announceTask, sendNotification } from './send-notification.ts'
import { cancelledWaits, type StepContext, StepFailed, type StepInput, withElement } from './step-context.ts'
import type { StepWork } from './step-work.ts'

/** A task that a step makes, and whether a change of its record may complete it. */
export interface NewTask {
  readonly task: Task
  readonly watchesRecord: boolean
}

/** Sets the fields and sends the notifications that the completed task defines for its completion. */
export async function runCompletionActions(input: StepInput, context: StepContext, work: StepWork): Promise<void> {
  if (!input.completed) return
  // One that came too late counts for nothing.
  if (!input.instance.waits.some((wait) => wait.executionId === input.completed?.executionId)) return
  const { elementId, executionId } = input.completed
  const definition = own(input.compiled.tasks, elementId)
  if (!definition) return
  const sets = definition.setFields.filter(({ on }) => on === 'complete').flatMap((one) => one.sets)
  const notifications = definition.notifications.filter(({ on }) => on === 'complete')
  if (sets.length + notifications.length === 0) return
  const { compiled, instance } = input
  const before = executionScopes(compiled, instance.state)(executionId)
  const { task, variables, data = {} } = input.completed
  const { outcome, completed_by } = task
  const at: ExpressionScope = {
    ...before,
    variables: { ...before.variables, ...variables },
    task,
    tasks: { ...before.tasks, [elementId]: { outcome, completed_by, data } },
  }
  await withElement(elementId, async () => {
    if (sets.length > 0) {
      await input.acquireLease([])
      await work.setFields(`${executionId}#complete`, sets, at)
    }
    for (const one of notifications) await sendNotification(context, await context.notifications(), one, at)
  })
}

/** Makes the tasks that a step reached: sets their fields, announces them, and sends their notifications. */
export async function openTasks(
  input: StepInput,
  context: StepContext,
  work: StepWork,
  opened: readonly Wait[],
  advance: Advance,
): Promise<NewTask[]> {
  const { compiled, instance } = input
  const { services: processes, actor, evaluate } = context
  const isActive = (executionId: string) => advance.waits.some((wait) => wait.executionId === executionId)
  const waits = opened.filter((wait) => wait.kind === 'task')
  if (waits.length === 0) return []
  const firstId = await reserveIds(processes.store, actor.tenant, taskSequence, waits.length)
  const tasks: NewTask[] = []
  const found = new Map<string, Promise<number | undefined>>()
  const findUser = (address: string) => {
    const user = found.get(address) ?? userOfAddress(processes.store, actor.tenant, address)
    found.set(address, user)
    return user
  }
  const scopeAt = executionScopes(compiled, advance.state)
  const noted = new Set(Object.values(compiled.tasks).map(({ fourEyes }) => fourEyes))
  let bytes = 0
  for (const [index, wait] of waits.entries()) {
    const definition = own(compiled.tasks, wait.elementId)
    const element = own(compiled.elements, wait.elementId)
    if (!definition || !element) throw new StepFailed('The process has no such task.', { elementId: wait.elementId })
    await withElement(wait.elementId, async () => {
      const at = scopeAt(wait.executionId)
      const sets = definition.setFields.filter(({ on }) => on === 'create').flatMap((one) => one.sets)
      if (sets.length > 0) {
        await input.acquireLease(cancelledWaits(input, isActive))
        await work.setFields(`${wait.executionId}#open`, sets, at)
      }
      const task = await newTask(firstId + index, instance, wait, element, definition, {
        evaluate,
        at,
        nowMs: processes.clock.now(),
        findUser,
        isNoted: noted.has(wait.elementId),
        scopesAround: () => scopesAround(advance.state, wait.executionId),
      })
      bytes += taskBytes(task)
      if (bytes > maxOpenedTaskBytes)
        throw new Fault(
          'validation_failed',
          `The step opens ${waits.length} tasks, whose forms and names are over ${maxOpenedTaskBytes / 2 ** 20} MB together. Shorten the forms, or open fewer tasks at once.`,
        )
      tasks.push({ task, watchesRecord: definition.completeOn.length > 0 })
      await announceTask(context, await context.notifications(), task)
      for (const one of definition.notifications.filter(({ on }) => on === 'create'))
        await sendNotification(context, await context.notifications(), one, at)
    })
  }
  return tasks
}

/** The size of a task as JSON. Throws Fault for one that no item can hold. */
function taskBytes(task: Task): number {
  const bytes = Buffer.byteLength(JSON.stringify(task))
  if (bytes <= maxTaskBytes) return bytes
  throw new Fault(
    'validation_failed',
    `The task has ${Math.ceil(bytes / 1024)} KB with its form, and ${maxTaskBytes / 1024} KB are possible: shorten the form.`,
  )
}
