import { namesOf, substitutesOf } from '../../../../accounts/service.ts'
import type { Caller } from '../../../../kernel/principal.ts'
import { publicTable } from '../../../../kernel/table-names.ts'
import { bellChannel, prepareIntent, userRecipient } from '../../../../messages/deliveries/service.ts'
import type { Write } from '../../../../platform/store/store.ts'
import { noRecord, recordIdOrNull } from '../../rows/instance-row.ts'
import type { Task } from '../../rows/task-row.ts'
import type { TaskDependencies } from './change-task.ts'

/**
 * The notification of whoever gets a task from the caller, or of their substitute, for the transaction that gives it to them;
 * none for the caller.
 * `what` the caller has done: "delegated a task to you".
 */
export async function tellPerson(
  { store, clock }: Pick<TaskDependencies, 'store' | 'clock'>,
  { tenant, userId, impersonatorId, name }: Caller,
  task: Task,
  person: number,
  what: string,
): Promise<Write[]> {
  if (person === userId) return []
  const [names, substitutes] = await Promise.all([
    namesOf(store, tenant, [userId]),
    substitutesOf(store, tenant, [person], clock.now()),
  ])
  const by = names.get(userId) ?? name
  const told = substitutes.get(person)?.id ?? person
  if (told === userId) return []
  const about = task.recordId === noRecord ? '' : ` (${publicTable(tenant, task.model)} ${task.recordId})`
  const { write } = prepareIntent(clock, tenant, {
    channel: bellChannel,
    recipients: [userRecipient(told)],
    content: {
      subject: `${by} ${what}: ${task.name ?? task.elementId}`.slice(0, maxTitleCharacters),
      body: `${task.name ?? task.elementId}${about}${task.dueAt === null ? '' : `, due ${task.dueAt}`}`,
      notice: { url: null, category: 'system' },
    },
    source: {
      model: task.model,
      record_id: recordIdOrNull(task.recordId),
      process_id: task.instanceId,
      user_id: userId,
      ...(impersonatorId !== undefined && { impersonator_id: impersonatorId }),
    },
  })
  return [write]
}

/** Names of tasks may be long; the text has them whole. */
const maxTitleCharacters = 200
