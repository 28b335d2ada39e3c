import { namesOf } from '../../../../accounts/people/user.ts'
import { findViewer } from '../../../../accounts/sessions/authentication.ts'
import { substitutesOf } from '../../../../accounts/substitutes/find-substitutes.ts'
import type { Caller } from '../../../../kernel/principal.ts'
import { publicTable } from '../../../../kernel/table-names.ts'
import type { Tenant } from '../../../../kernel/tenancy.ts'
import { userRecipient } from '../../../../messages/deliveries/expand/recipient.ts'
import { bellChannel, prepareIntent } from '../../../../messages/deliveries/expand/write-intent.ts'
import type { Write } from '../../../../platform/store/store.ts'
import { needsOwnRight } from '../../people/task-rights.ts'
import { noRecord, recordIdOrNull } from '../../rows/instance-row.ts'
import type { Task } from '../../rows/task-row.ts'
import { withoutDerived } from '../shown-tasks.ts'
import type { TaskDependencies } from './change-task.ts'

/**
 * The notification of whoever gets a task from the caller, or of their substitute, for the transaction that gives it to them;
 * none for the caller.
 * `what` the caller has done: "delegated a task to you".
 */
export async function tellPerson(
  services: Pick<TaskDependencies, 'store' | 'clock' | 'config'>,
  { tenant, userId, impersonatorId, name }: Caller,
  task: Task,
  person: number,
  what: string,
): Promise<Write[]> {
  if (person === userId) return []
  const { store, clock } = services
  const [names, substitutes] = await Promise.all([
    namesOf(store, tenant, [userId]),
    substitutesOf(store, tenant, [person], clock.now()),
  ])
  const by = names.get(userId) ?? name
  const told = substitutes.get(person)?.id ?? person
  if (told === userId) return []
  const { name: title, dueAt } = await asSeenBy(services, tenant, told, task)
  const about = task.recordId === noRecord ? '' : ` (${publicTable(tenant, task.model)} ${task.recordId})`
  const { write } = prepareIntent(clock, tenant, {
    channel: bellChannel,
    recipients: [userRecipient(told)],
    content: {
      subject: `${by} ${what}: ${title ?? task.elementId}`.slice(0, maxTitleCharacters),
      body: `${title ?? task.elementId}${about}${dueAt === null ? '' : `, due ${dueAt}`}`,
      notice: { url: null, category: 'system', task: { id: task.id, outcomes: task.outcomes, dueAt: task.dueAt } },
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

/** The task as somebody sees it: whole, unless nobody was asked to do it. */
async function asSeenBy(
  services: Pick<TaskDependencies, 'store' | 'config'>,
  tenant: Tenant,
  userId: number,
  task: Task,
): Promise<Pick<Task, 'name' | 'dueAt'>> {
  const viewer = needsOwnRight(task) ? await findViewer(services, tenant, userId) : undefined
  const [seen = task] = viewer ? await withoutDerived(services.store, viewer, [task]) : []
  return seen
}
