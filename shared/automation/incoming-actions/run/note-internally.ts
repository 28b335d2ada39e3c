import { findUser } from '../../../accounts/people/user.ts'
import { viewerOfUser } from '../../../accounts/sessions/authentication.ts'
import { mayOnTable } from '../../../kernel/permissions.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { type IncomingMessage, newTextOf, type RuleOutcome } from '../../../messages/incoming-messages/message.ts'
import { noteOutcome } from '../../../messages/incoming-messages/receive/save-message.ts'
import { writeReceivedComment } from '../../../records/comments/write/write-received-comment.ts'
import type { RuleDependencies } from './dependencies.ts'
import { MessageChanged, recordOutcome } from './record-outcome.ts'

/** Its outcome is noted as that of a rule; no rule has this id. */
const internalNoteId = -1

/**
 * Adds a user's answer to a notice of an internal comment, or anybody's to a forward, to the record as an internal comment, once.
 * That of a user who may write none any more, or of a program, stays a message, which no rule sees.
 */
export async function noteInternally(
  { store, clock, config, comments }: Pick<RuleDependencies, 'store' | 'clock' | 'config' | 'comments'>,
  tenant: Tenant,
  message: IncomingMessage,
): Promise<void> {
  const { replyTo: record, userId, forward } = message
  if (!record || message.auto !== undefined) return
  const known = userId === undefined ? undefined : await findUser(store, tenant, userId)
  const user = known?.isActive ? known : undefined
  const mayNote = user && mayOnTable(await viewerOfUser(config, tenant, user), record.model, 'comment_internal')
  if (forward === undefined && !mayNote) return
  await recordOutcome({ store, clock }, tenant, message.id, internalNoteId, async (head) => {
    const outcome: RuleOutcome = {
      actionId: internalNoteId,
      action: 'internal comment',
      kind: 'commented',
      record,
      at: isoTime(clock.now()),
    }
    const [noted, ...others] = noteOutcome(tenant, head, outcome)
    const received = {
      userId: user && mayNote ? user.id : null,
      forward,
      from: { name: message.fromName, email: message.fromEmail },
      messageId: message.id,
      through: undefined,
      isAutomatic: false,
      isInternal: true,
      body: newTextOf(message),
      attachments: message.attachments.flatMap(({ path }) => path ?? []),
    }
    await writeReceivedComment(comments, tenant, record, received, [
      ...(noted ? [{ write: noted, refused: () => new MessageChanged() }] : []),
      ...others,
    ])
    return outcome
  })
}
