import type { ConfigRow } from '../../platform/store/config.ts'
import { idText } from '../../platform/store/keys/key.ts'
import type { IncomingActionAnswer, ReplyMode, RuleChannel } from './schema.ts'

export const incomingActionSequence = 'sys_incoming_actions'

/** A rule: which messages become records of which table, and how. */
export interface IncomingAction {
  readonly id: number
  readonly name: string
  readonly channel: RuleChannel
  readonly isAutomatic: boolean
  readonly targetModel: string
  readonly fieldMapping: Readonly<Record<string, string>>
  readonly script: string | null
  readonly buttonLabel: string | null
  readonly buttonColor: string | null
  readonly condition: Readonly<Record<string, unknown>> | null
  readonly onReply: ReplyMode
  readonly position: number
  readonly isActive: boolean
  readonly sendComments: boolean
  /** Who saved it last: the rule acts as this user where nobody else does. */
  readonly savedBy: number
  readonly version: number
}

/** Reads the configuration row of a rule. */
export const incomingActionOf = ({ doc, version }: ConfigRow): IncomingAction => ({
  ...(doc as Omit<IncomingAction, 'version'>),
  version,
})
/** The configuration row of a rule. */
export const incomingActionRow = ({ version, ...doc }: IncomingAction): ConfigRow => ({
  name: incomingActionRowName(doc.id),
  version,
  doc,
})
/** Rows are named by id, so that a rename changes no key. */
export const incomingActionRowName = idText

/** The order in which automatic rules run. */
export const inOrder = (a: IncomingAction, b: IncomingAction): number => a.position - b.position || a.id - b.id

/** A rule in an answer. `problem`: see `problemOf`. */
export const describeIncomingAction = (one: IncomingAction, problem: string | null): IncomingActionAnswer => ({
  id: one.id,
  name: one.name,
  channel: one.channel,
  is_automatic: one.isAutomatic,
  target_model: one.targetModel,
  field_mapping: { ...one.fieldMapping },
  script: one.script,
  button_label: one.buttonLabel,
  button_color: one.buttonColor,
  condition: one.condition && { ...one.condition },
  on_reply: one.onReply,
  position: one.position,
  is_active: one.isActive,
  send_comments: one.sendComments,
  problem,
  version: one.version,
})
