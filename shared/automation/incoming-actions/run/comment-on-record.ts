import type { IncomingMessage, MessageHead, RuleOutcome } from '../../../messages/incoming-messages/message.ts'
import { noteOutcome } from '../../../messages/incoming-messages/receive/save-message.ts'
import type { Write } from '../../../platform/store/store.ts'
import { writeReceivedComment } from '../../../records/comments/write/write-received-comment.ts'
import { newText } from '../replies/new-text.ts'
import type { RuleActor } from './acting-user.ts'
import type { RuleDependencies } from './dependencies.ts'
import { MessageChanged } from './record-outcome.ts'

/**
 * Adds a message as a comment to the record of an outcome, and notes the outcome with it. A record gets one comment of a
 * message, whatever number of rules match. `further`: writes in the same transaction.
 */
export async function commentOn(
  { store, clock, comments }: RuleDependencies,
  { tenant }: Pick<RuleActor, 'tenant'>,
  head: MessageHead,
  message: IncomingMessage,
  outcome: RuleOutcome & { readonly record?: { readonly model: string; readonly id: number } },
  further: readonly Write[],
): Promise<RuleOutcome> {
  const { record } = outcome
  const [noted, ...others] = noteOutcome(tenant, head, outcome)
  if (!record || !noted) throw new Error('a comment needs a record')
  const isThere = head.outcomes.some(
    (one) => one.kind === 'commented' && one.record?.model === record.model && one.record.id === record.id,
  )
  if (isThere) {
    await store.transact(tenant, [noted, ...others, ...further], clock.uuid())
    return outcome
  }
  await writeReceivedComment(
    comments,
    tenant,
    record,
    {
      userId: message.userId ?? null,
      from: { name: message.fromName, email: message.fromEmail },
      messageId: message.id,
      through: throughOf(head, record.id),
      // Its history is that of the record; the message keeps it.
      body: message.channel === 'email' ? newText(message.body, message.subject) : message.body,
      attachments: message.attachments.flatMap(({ path }) => path ?? []),
    },
    [{ write: noted, refused: () => new MessageChanged() }, ...others, ...further],
  )
  return outcome
}

/**
 * The record as whose requester somebody wrote: the one that the message answered, which may have been merged since. A user
 * who answers the record itself may be of the team.
 */
function throughOf({ replyTo, replyThrough, userId }: MessageHead, recordId: number): number | undefined {
  const answered = replyThrough ?? replyTo?.id ?? recordId
  return answered === recordId && userId !== undefined ? undefined : answered
}
