import { maxRuleFailures } from '../../../kernel/limits/incoming.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Write } from '../../../platform/store/store.ts'
import { atRevision } from '../../../platform/store/writes/conditions.ts'
import type { MessageHead, RuleOutcome } from '../message.ts'
import type { LivingRecord } from '../messages-of-record.ts'
import { messageItem } from '../rows/message-row.ts'
import { linkMessage } from '../rows/message-rows.ts'

/** What changes of a message once it is stored. */
type MessageChange = Partial<
  Pick<
    MessageHead,
    'isWaiting' | 'waitingSinceMs' | 'round' | 'isGivenUp' | 'outcomes' | 'replyTo' | 'replyThrough' | 'isSplit'
  >
>

/** The write that changes a message which is still as it was read. */
export const changeMessage = (tenant: TenantRef, head: MessageHead, change: MessageChange): Write => ({
  put: messageItem(tenant, { ...head, ...change, rev: head.rev + 1 }),
  if: atRevision(head.rev),
})

/**
 * The write that puts a message to wait for its rules again; the feed takes it to them. Rules that have an outcome do not
 * run again, so failed ones lose theirs.
 */
export const putToWait = (tenant: TenantRef, head: MessageHead, nowMs: number): Write =>
  changeMessage(tenant, head, {
    isWaiting: true,
    waitingSinceMs: nowMs,
    round: head.round + 1,
    isGivenUp: false,
    outcomes: head.outcomes.filter(({ kind }) => kind !== 'failed'),
  })

/** The writes that join a message, which is still as it was read, to the record of the message that it answers. */
export const joinMessage = (tenant: TenantRef, head: MessageHead, record: LivingRecord): Write[] => [
  changeMessage(tenant, head, record),
  linkMessage(tenant, record.replyTo, head.id),
]

/** The writes that note what a rule did, in the transaction of what it did. An earlier outcome of the rule is replaced. */
export const noteOutcome = (tenant: TenantRef, head: MessageHead, outcome: RuleOutcome): Write[] => [
  changeMessage(tenant, head, {
    outcomes: newestFailures([...head.outcomes.filter(({ actionId }) => actionId !== outcome.actionId), outcome]),
  }),
  ...(outcome.record ? [linkMessage(tenant, outcome.record, head.id)] : []),
]

/** The outcomes without the failures before the newest ones. */
function newestFailures(outcomes: readonly RuleOutcome[]): RuleOutcome[] {
  const surplus = outcomes.filter(({ kind }) => kind === 'failed').slice(0, -maxRuleFailures)
  return outcomes.filter((one) => !surplus.includes(one))
}
