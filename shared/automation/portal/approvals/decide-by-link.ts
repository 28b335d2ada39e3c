import { findUser } from '../../../accounts/people/user.ts'
import { callerOfLink } from '../../../accounts/sessions/authentication.ts'
import { findTenant } from '../../../accounts/tenants/find-tenant.ts'
import { Forbidden, NotFound } from '../../../kernel/failures/faults.ts'
import type { Caller } from '../../../kernel/principal.ts'
import type { DescribeNoticedRecord } from '../../../messages/notifications/notice-mail.ts'
import { askedAtMs, isDecisionToken } from '../../../platform/mail/decision-link.ts'
import { parsePersonToken } from '../../../platform/mail/person-token.ts'
import { accentColor } from '../../../platform/settings/read-settings.ts'
import { keyHash } from '../../../platform/store/keys/key.ts'
import { threadKeyKey } from '../../../platform/store/keys/messages/deliveries.ts'
import { taskKey } from '../../../platform/store/keys/processes.ts'
import { readTask, type Task } from '../../processes/rows/task-row.ts'
import {
  type CompleteDependencies,
  completeTask,
  requireCompletable,
  requireCompletion,
} from '../../processes/tasks/completion/complete-task.ts'
import { describeTaskTo } from '../../processes/tasks/shown-tasks.ts'
import type { PortalDependencies } from '../dependencies.ts'
import type { LinkedDecision, LinkedDecisionBody } from '../schema.ts'
import { commentOnApproval } from './comment-on-approval.ts'
import { describeApproval } from './list-approvals.ts'

/** What answers the buttons of mails about tasks. */
export interface DecideDependencies {
  readonly portal: PortalDependencies
  readonly processes: CompleteDependencies
  readonly describeNoticedRecord: DescribeNoticedRecord
  /** Where approvals wait in the app, and a record. */
  readonly approvalsUrl: () => string
}

/** What the link was made for, once it is believed. */
interface OpenedLink {
  readonly caller: Caller
  readonly task: Task
}

/**
 * What the page behind a button of a mail shows: the task, as far as the person may know what it is about. It changes nothing.
 * Throws NotFound for a link that is wrong, has expired or was used up, and what `completeTask` would refuse with.
 */
export async function describeLinkedDecision(services: DecideDependencies, text: string): Promise<LinkedDecision> {
  const { portal, processes, describeNoticedRecord, approvalsUrl } = services
  const { caller, task } = await openLink(services, text)
  const { tenant, userId, name } = caller
  await requireCompletable(processes, caller, task.id)
  const mustSignIn = needsSecondFactor(caller)
  const described = await describeTaskTo(processes, caller, task)
  const { model, record_id: id } = described
  const approval = await describeApproval(portal, caller, described)
  const record = id === null ? undefined : await describeNoticedRecord(tenant, { userId, model, id })
  const accent = await accentColor(portal.config, tenant)
  return {
    ...approval,
    ...(mustSignIn && { form: [], request: null }),
    company: tenant.name,
    ...(accent !== undefined && { accent_color: accent }),
    person: name,
    record: record
      ? { label: record.label, number: record.id, title: record.title === '' ? null : record.title }
      : null,
    url: record?.url ?? approvalsUrl(),
    may_comment: id !== null,
    is_sign_in_needed: mustSignIn,
  }
}

/**
 * Decides a task as the person to whom the link was mailed, on the same path as a completion by the API. A comment is stored
 * before, once however often the request is repeated. Throws NotFound, Forbidden, Conflict with who was faster, Invalid.
 */
export async function decideByLink(
  services: DecideDependencies,
  text: string,
  { comment, ...body }: LinkedDecisionBody,
): Promise<{ readonly outcome: string | null }> {
  const { portal, processes } = services
  const { caller, task } = await openLink(services, text)
  if (needsSecondFactor(caller))
    throw new Forbidden('forbidden', 'Your account asks for a second factor: sign in to decide.')
  await requireCompletion(processes, caller, task.id, body)
  const said = comment?.trim() ?? ''
  if (said !== '') await commentOnApproval(portal, caller, task.id, { body: said }, keyHash(`${text} ${said}`))
  const { outcome } = await completeTask(processes, caller, task.id, body)
  return { outcome }
}

/** A mail proves one factor only. */
const needsSecondFactor = ({ mfaEnabled, mustSetUpMfa }: Caller): boolean => mfaEnabled || mustSetUpMfa

/** Whose link it is, and for which task. Throws the same NotFound for every link that does nothing (any more). */
async function openLink({ portal }: DecideDependencies, text: string): Promise<OpenedLink> {
  const { store, clock } = portal.records
  const token = parsePersonToken(text)
  const tenant = token && (await findTenant(store, token.tenantId))
  if (!token || !/^\d+$/.test(token.about) || !tenant || tenant.deleteAt !== undefined || tenant.awaitsVerification)
    throw noLink()
  const [key, item, user] = await Promise.all([
    // A tenant without a key has handed out no link.
    store.get(tenant, threadKeyKey(tenant)),
    store.get(tenant, taskKey(tenant, Number(token.about))),
    findUser(store, tenant, token.userId),
  ])
  const task = item && readTask(item)
  if (
    !key ||
    !task ||
    !user ||
    !isDecisionToken(Buffer.from(String(key.key), 'base64url'), token, task, user, clock.now())
  )
    throw noLink()
  const caller = await callerOfLink(portal, tenant, user)
  if (!caller || isUsedUp(task, caller, askedAtMs(token))) throw noLink()
  return { caller, task }
}

/** Whether the person, as whom somebody else has the task, has given it back since the link was made: then it was used. */
const isUsedUp = ({ history }: Task, { userId }: Caller, sinceMs: number): boolean =>
  history.some(({ what, by, at }) => what === 'resolved' && by === userId && Date.parse(at) >= sinceMs)

const noLink = (): NotFound =>
  new NotFound('task', {}, 'This link is wrong, was used, or has expired. Open the task in the app.')
