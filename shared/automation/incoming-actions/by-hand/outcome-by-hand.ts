import type { MessageHead, RecordRef, RuleOutcome } from '../../../messages/incoming-messages/message.ts'

/** What people do with a message themselves is noted as that of a rule; no rule has this id. */
export const byHandId = 0
const byHand = 'by hand'

/** What somebody did with a message: made a record of it, or set it aside. */
export const outcomeByHand = (at: string, record?: RecordRef): RuleOutcome => ({
  actionId: byHandId,
  action: byHand,
  kind: record ? 'created' : 'ended',
  ...(record && { record }),
  at,
})

/** The record that somebody made of a message. */
export const madeByHand = ({ outcomes }: Pick<MessageHead, 'outcomes'>): RuleOutcome | undefined =>
  outcomes.find(({ actionId, record }) => actionId === byHandId && record !== undefined)

/** Whether somebody set a message aside. */
export const isSetAside = ({ actionId, action, kind }: RuleOutcome): boolean =>
  actionId === byHandId && action === byHand && kind === 'ended'
