import type { Caller } from '../../../../kernel/principal.ts'
import type { AdvanceDependencies } from '../../dependencies.ts'
import { peopleOfCompletion } from '../../people/people-of-completion.ts'
import { isUnchangedPending, type Task, taskItem, withEvent } from '../../rows/task-row.ts'
import type { CompleteBody } from '../../schema.ts'
import type { Visibility } from '../../sight/visible-records.ts'
import { taskEvent } from '../../steps/completion-writes.ts'
import { tellPerson } from '../assignment/tell-person.ts'
import { checkCompletion } from './check-completion.ts'
import { writeFields } from './write-fields.ts'

/**
 * Returns a delegated task to its owner, with what the delegate entered: bound values are written to the record, outcome
 * and other values wait for the owner, who completes the task. Throws Invalid with paths as `data.<name>`; a refused
 * write is thrown as it is.
 */
export async function resolveTask(
  services: AdvanceDependencies & Visibility,
  caller: Caller,
  task: Task & { readonly owner: number },
  body: CompleteBody,
  actsFor: number | null,
): Promise<Task> {
  const { store, clock } = services
  const { tenant } = caller
  const { outcome, fields, variables } = await checkCompletion(store, tenant, task, body, { isComplete: false })
  const earlier = task.proposal
  const resolved: Task = withEvent(
    {
      ...task,
      assignee: task.owner,
      delegation: 'resolved',
      proposal: {
        outcome: outcome ?? earlier?.outcome ?? null,
        data: { ...earlier?.data, ...variables },
        written: [...new Set([...(earlier?.written ?? []), ...writtenNames(task, fields)])],
      },
      workers: [...new Set([...task.workers, ...peopleOfCompletion(task, caller, actsFor)])],
      substitutedFor: null,
      version: task.version + 1,
    },
    taskEvent('resolved', caller, clock.now(), {
      to: task.owner,
      ...(actsFor !== null && { for: actsFor }),
    }),
  )
  const writeId = clock.uuid()
  const writes = [
    { put: { ...taskItem(tenant, resolved), write_id: writeId }, if: isUnchangedPending(task) },
    ...(await tellPerson(services, caller, resolved, task.owner, 'is done with the task that you delegated')),
  ]
  const isWritten = await writeFields(services, caller, task, fields, writes, writeId)
  if (!isWritten) await store.transact(tenant, writes, writeId)
  return resolved
}

/** The names in the form of the fields that have a value now. */
const writtenNames = ({ form }: Task, fields: Readonly<Record<string, unknown>>): string[] =>
  form.flatMap(({ name, bind }) => (bind !== undefined && (fields[bind] ?? '') !== '' ? [name] : []))
