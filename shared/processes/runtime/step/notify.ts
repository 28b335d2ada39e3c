import { findUser } from '../../../auth/service.ts'
import { Fault } from '../../../kernel/faults.ts'
import type { NotificationPort } from '../../../scripts/service.ts'
import type { Notification } from '../../definition/compiled-process.ts'
import type { Task } from '../../rows/task-row.ts'
import { maxMembers, roleMembers } from '../../tasks/role-members.ts'
import { valueOfText, type ExpressionScope } from './step-expressions.ts'
import { logUnsent, type StepParts } from './step-parts.ts'

/**
 * Sends one `wf:notify`: to the bell (`push`), by mail with a template, or as text through a channel. `to` names users
 * (`user:3`, `role:agent`), or addresses as they are. What cannot be sent is logged and stops nothing.
 */
export async function sendNotification(
  parts: StepParts,
  port: NotificationPort,
  given: Notification,
  at: ExpressionScope,
): Promise<void> {
  const { instance, evaluate } = parts
  const textOf = async (text: string | undefined): Promise<string> =>
    text === undefined ? '' : String((await valueOfText(text, evaluate, at)) ?? '')
  const to = await valueOfText(given.to, evaluate, at)
  const recipients = (Array.isArray(to) ? to.map(String) : String(to ?? '').split(','))
    .map((one) => one.trim())
    .filter((one) => one !== '')
  const [title, text] = await Promise.all([textOf(given.title), textOf(given.text)])
  const ask = (method: Method, args: readonly unknown[]) => askOrTell(parts, port, method, args)
  const channel = /^\d+$/.test(given.channel) ? Number(given.channel) : given.channel
  if (given.template !== undefined && given.channel !== 'push') {
    const params = { record: await parts.scope.record(), variables: at.variables, task: parts.scope.task }
    for (const address of await addressesOf(parts, recipients))
      await ask('sendEmail', [given.template, address, params, given.channel === 'email' ? null : channel])
    return
  }
  const users = await usersOf(parts, recipients)
  if (given.channel === 'push') {
    if (users.length > 0) await ask('sendPushNotification', [title || instance.code, text, null, users, 'system'])
  } else if (given.channel === 'messenger') {
    if (users.length > 0) await ask('sendMessenger', [text || title, users, null])
  } else if (given.channel === 'sms') {
    await ask('sendSms', [recipients, text || title, null])
  } else if (given.channel === 'webhook') {
    await ask('sendWebhook', [
      { title, text, to: recipients, model: instance.model, record_id: instance.recordId },
      null,
    ])
  } else {
    await ask('publish', [
      { title, text, to: recipients, model: instance.model, record_id: instance.recordId },
      channel,
      null,
    ])
  }
}

/** Tells whoever may take a new task of it. */
export async function announceTask(parts: StepParts, port: NotificationPort, task: Task): Promise<void> {
  const direct =
    task.assignee === null
      ? [...task.candidateUsers, ...(await membersOf(parts, task.candidateRoles))]
      : [task.assignee]
  const users = [...new Set(direct)]
  if (users.length === 0) return
  const { instance } = parts
  const text = `${instance.model} ${instance.recordId}${task.dueAt === null ? '' : `, due ${task.dueAt}`}`
  await askOrTell(parts, port, 'sendPushNotification', [
    `New task: ${task.name ?? task.elementId}`,
    text,
    null,
    users.slice(0, maxMembers),
    'system',
  ])
}

type Method = Parameters<NotificationPort['ask']>[0]

/** What cannot be sent, also because a step tells too many at once, is told to the operator and stops nothing. */
async function askOrTell(
  { actor, instance }: StepParts,
  port: NotificationPort,
  method: Method,
  args: readonly unknown[],
): Promise<void> {
  const source = {
    tenant: actor.tenant,
    model: instance.model,
    recordId: instance.recordId,
    runId: `process.${instance.id}`,
  }
  const tell = logUnsent(instance)
  try {
    await port.ask(method, args, source, tell)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    tell(error.message)
  }
}

async function usersOf(parts: StepParts, recipients: readonly string[]): Promise<number[]> {
  const named = recipients.flatMap((one) => /^(?:user:)?(\d+)$/.exec(one)?.[1] ?? []).map(Number)
  const roles = recipients.flatMap((one) => /^role:(.+)$/.exec(one)?.[1] ?? [])
  return [...new Set([...named, ...(await membersOf(parts, roles))])]
}

const membersOf = ({ deps, actor }: StepParts, roles: readonly string[]): Promise<readonly number[]> =>
  roleMembers(deps, actor.tenant, roles)

/** Mail addresses: as they are given, and those of users and members of roles. */
async function addressesOf(parts: StepParts, recipients: readonly string[]): Promise<string[]> {
  const { deps, actor } = parts
  const plain = recipients.filter((one) => one.includes('@'))
  const ids = await usersOf(
    parts,
    recipients.filter((one) => !one.includes('@')),
  )
  const users = await Promise.all(ids.map((id) => findUser(deps.store, actor.tenant, id)))
  return [...new Set([...plain, ...users.flatMap((user) => (user?.isActive ? [user.email] : []))])]
}
