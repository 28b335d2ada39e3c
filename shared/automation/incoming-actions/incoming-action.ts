import type { Tenant } from '../../kernel/tenancy.ts'
import type { Config, RowTimes } from '../../platform/store/config.ts'
import { readObject } from '../../platform/store/rows/object-row.ts'
import type { ProcessMessage, Reopen, ReplyMode, RuleChannel } from './schema.ts'

/** A rule: which messages become records of which table, and how. */
export interface IncomingAction extends RowTimes {
  readonly id: number
  readonly name: string
  readonly channel: RuleChannel
  /** Of mails only those that arrived at one of these mailboxes; none, or undefined on rules from before: all. */
  readonly mailboxIds?: readonly number[] | null
  readonly isAutomatic: boolean
  readonly targetModel: string
  readonly fieldMapping: Readonly<Record<string, string>>
  readonly script: string | null
  /** Undefined on rules from before there were any. */
  readonly processMessage?: ProcessMessage | null
  readonly buttonLabel: string | null
  readonly buttonColor: string | null
  readonly condition: Readonly<Record<string, unknown>> | null
  readonly onReply: ReplyMode
  /** Undefined on rules from before there were any. */
  readonly reopen?: Reopen | null
  readonly position: number
  readonly isActive: boolean
  readonly sendComments: boolean
  /** Who saved it last: the rule acts as this user where nobody else does. */
  readonly savedBy: number
  readonly version: number
}

/** The order in which automatic rules run. */
export const inOrder = (a: IncomingAction, b: IncomingAction): number => a.position - b.position || a.id - b.id

/** Every rule of a tenant, by id. */
export const rulesOf = (config: Pick<Config, 'list'>, tenant: Tenant): Promise<readonly IncomingAction[]> =>
  config.list(tenant, 'INCOMING_ACTION', readObject<IncomingAction>)
