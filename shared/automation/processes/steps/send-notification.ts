import { findUser } from '../../../accounts/people/user.ts'
import { substitutesOf } from '../../../accounts/substitutes/find-substitutes.ts'
import { Fault } from '../../../kernel/failures/faults.ts'
import { maxRoleMembersTold } from '../../../kernel/limits/processes.ts'
import { log } from '../../../kernel/runtime/log.ts'
import { publicTable } from '../../../kernel/table-names.ts'
import { templateRecord } from '../../../messages/notification-templates/template.ts'
import type { NotificationPort, NotificationSource } from '../../../scripts/api/notification-port.ts'
import type { Notification } from '../../bpmn/shapes/compiled-process.ts'
import { type ExpressionScope, valueOfText } from '../evaluate/step-expressions.ts'
import { roleMembers } from '../people/task-people.ts'
import { noRecord, recordIdOrNull } from '../rows/instance-row.ts'
import type { Task } from '../rows/task-row.ts'
import type { StepContext } from './step-context.ts'

/**
 * Sends one `wf:notify`: a push notification (`push`), a mail from a template, or a text through a channel. `to` names
 * users (`user:3`), roles (`role:agent`) or addresses. A notification that cannot be sent is logged; the step
 * continues.
 */
export async function sendNotification(
  context: StepContext,
  port: NotificationPort,
  notification: Notification,
  at: ExpressionScope,
): Promise<void> {
  const { instance, evaluate } = context
  const textOf = async (text: string | undefined): Promise<string> =>
    text === undefined ? '' : String((await valueOfText(text, evaluate, at)) ?? '')
  const to = await valueOfText(notification.to, evaluate, at)
  const recipients = (Array.isArray(to) ? to.map(String) : String(to ?? '').split(','))
    .map((one) => one.trim())
    .filter((one) => one !== '')
  const [title, text] = await Promise.all([textOf(notification.title), textOf(notification.text)])
  const ask = (method: Method, args: readonly unknown[]) => askOrLog(context, port, method, args)
  const channel = /^\d+$/.test(notification.channel) ? Number(notification.channel) : notification.channel
  if (notification.template !== undefined && notification.channel !== 'push') {
    const record = await context.scope.record()
    const user = await context.scope.user()
    const params = {
      record: record && templateRecord(record),
      user: user && { id: user.id, name: user.name, email: user.email },
      variables: at.variables,
      task: context.scope.task,
    }
    for (const address of await addressesOf(context, recipients))
      await ask('sendEmail', [
        notification.template,
        address,
        params,
        notification.channel === 'email' ? null : channel,
      ])
    return
  }
  const users = await usersOf(context, recipients)
  if (notification.channel === 'push') {
    if (users.length > 0) await ask('sendPushNotification', [title || instance.code, text, null, users, 'system'])
  } else if (notification.channel === 'messenger') {
    if (users.length > 0) await ask('sendMessenger', [text || title, users, null])
  } else if (notification.channel === 'sms') {
    await ask('sendSms', [recipients, text || title, null])
  } else if (notification.channel === 'webhook') {
    await ask('sendWebhook', [
      {
        title,
        text,
        to: recipients,
        model: publicTable(context.actor.tenant, instance.model),
        record_id: recordIdOrNull(instance.recordId),
      },
      null,
    ])
  } else {
    await ask('publish', [
      {
        title,
        text,
        to: recipients,
        model: publicTable(context.actor.tenant, instance.model),
        record_id: recordIdOrNull(instance.recordId),
      },
      channel,
      null,
    ])
  }
}

/** Notifies the assignee of a new task or their substitute, or its candidates when it has none. */
export async function announceTask(context: StepContext, port: NotificationPort, task: Task): Promise<void> {
  const recipients =
    task.assignee === null
      ? [...task.candidateUsers, ...(await membersOf(context, task.candidateRoles))]
      : [await holderFor(context, task.assignee)]
  const users = [...new Set(recipients)]
  if (users.length === 0) return
  const { instance } = context
  const about =
    instance.recordId === noRecord
      ? instance.code
      : `${publicTable(context.actor.tenant, instance.model)} ${instance.recordId}`
  const text = `${about}${task.dueAt === null ? '' : `, due ${task.dueAt}`}`
  await askOrLog(
    context,
    port,
    'sendPushNotification',
    [`New task: ${task.name ?? task.elementId}`, text, null, users.slice(0, maxRoleMembersTold), 'system'],
    { task: { id: task.id, outcomes: task.outcomes, dueAt: task.dueAt } },
  )
}

/** Who has the tasks of a user now: the user, or who stands in for them. */
async function holderFor({ services: { store, clock }, actor }: StepContext, userId: number): Promise<number> {
  return (await substitutesOf(store, actor.tenant, [userId], clock.now())).get(userId)?.id ?? userId
}

type Method = Parameters<NotificationPort['ask']>[0]

/** Logs a notification that cannot be sent, also when a step sends too many; the step continues. */
async function askOrLog(
  { actor, instance }: StepContext,
  port: NotificationPort,
  method: Method,
  args: readonly unknown[],
  about: Pick<NotificationSource, 'task'> = {},
): Promise<void> {
  const source = {
    ...about,
    tenant: actor.tenant,
    model: instance.model,
    recordId: recordIdOrNull(instance.recordId),
    runId: `process.${instance.id}`,
    processId: instance.id,
  }
  const logUnsent = (problem: string): void =>
    log.warn('a notification of a process was not sent', { instance_id: instance.id, code: instance.code, problem })
  try {
    await port.ask(method, args, source, logUnsent)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    logUnsent(error.message)
  }
}

async function usersOf(context: StepContext, recipients: readonly string[]): Promise<number[]> {
  const named = recipients.flatMap((one) => /^(?:user:)?(\d+)$/.exec(one)?.[1] ?? []).map(Number)
  const roles = recipients.flatMap((one) => /^role:(.+)$/.exec(one)?.[1] ?? [])
  return [...new Set([...named, ...(await membersOf(context, roles))])]
}

const membersOf = ({ services: processes, actor }: StepContext, roles: readonly string[]): Promise<readonly number[]> =>
  roleMembers(processes, actor.tenant, roles)

/** Mail addresses: those among the recipients, and those of active users and members of roles. */
async function addressesOf(context: StepContext, recipients: readonly string[]): Promise<string[]> {
  const { services: processes, actor } = context
  const plain = recipients.filter((one) => one.includes('@'))
  const ids = await usersOf(
    context,
    recipients.filter((one) => !one.includes('@')),
  )
  const users = await Promise.all(ids.map((id) => findUser(processes.store, actor.tenant, id)))
  return [
    ...new Set([...plain, ...users.flatMap((user) => (user?.isActive && user.email !== null ? [user.email] : []))]),
  ]
}
