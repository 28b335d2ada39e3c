import type { TenantRef } from '../../kernel/tenancy.ts'
import { isPersonToken, type PersonToken, personToken } from './person-token.ts'
import type { ThreadKey } from './record-thread.ts'

/** How long the buttons of a mail about a task work. */
export const decisionLinkDays = 14

const lifeMs = decisionLinkDays * 86_400_000

/** When the mail with the link was asked for. */
export const askedAtMs = ({ expiresAtMs }: PersonToken): number => expiresAtMs - lifeMs

/** A task that a mail asks somebody to decide. */
export interface AskedTask {
  readonly id: number
  /** What it may end with; one button each. */
  readonly outcomes: readonly string[]
  /** When it is due, if at some time: a mail about it does not wait longer. */
  readonly dueAt?: string | null
}

/** A task in a mail to one person. */
export interface MailedTask extends AskedTask {
  readonly userId: number
  /** When the mail was asked for (Unix milliseconds): the same in every attempt, and so is the link. */
  readonly askedAtMs: number
}

/** The account of the person as it was: a link ends with the sessions of whoever was locked out or has a new password. */
interface Account {
  readonly credentialVersion: number
}

const boundTo = ({ outcomes }: Pick<AskedTask, 'outcomes'>, { credentialVersion }: Account) => [
  credentialVersion,
  ...outcomes,
]

/** The token of the buttons of a mail. */
export const decisionToken = (key: ThreadKey, tenant: TenantRef, task: MailedTask, account: Account): string =>
  personToken(
    key,
    'decide',
    {
      tenantId: tenant.id,
      userId: task.userId,
      about: String(task.id),
      expiresAtMs: task.askedAtMs + lifeMs,
    },
    boundTo(task, account),
  )

/** Whether a token was made for a task as it asks now. */
export const isDecisionToken = (
  key: ThreadKey,
  token: PersonToken,
  task: Pick<AskedTask, 'outcomes'>,
  account: Account,
  nowMs: number,
): boolean => isPersonToken(key, 'decide', token, nowMs, boundTo(task, account))

/** The name of an outcome as people read it. */
export const outcomeLabel = (outcome: string): string =>
  outcome.charAt(0).toUpperCase() + outcome.slice(1).replaceAll('_', ' ')
