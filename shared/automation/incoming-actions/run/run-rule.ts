import { isoTime } from '../../../kernel/time/clock.ts'
import { aboutNewRecord } from '../../../messages/deliveries/rows/about-record.ts'
import type { IncomingMessage, MessageHead, RuleOutcome } from '../../../messages/incoming-messages/message.ts'
import { isWordOfPerson, newTextOf } from '../../../messages/incoming-messages/message.ts'
import { noteOutcome } from '../../../messages/incoming-messages/receive/save-message.ts'
import { begunBy } from '../../../platform/store/rows/conversation-state.ts'
import type { Write } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import {
  hearReceived,
  type ReceivedComment,
  writeReceivedComment,
} from '../../../records/comments/write/write-received-comment.ts'
import { flatRecord } from '../../../records/records/hooks/script-records.ts'
import type { StoredRecord } from '../../../records/records/record-item.ts'
import { changeRecord } from '../../../records/records/write/change-record.ts'
import { prepareNewRecord, storeNewRecord } from '../../../records/records/write/create-record.ts'
import type { IncomingAction } from '../incoming-action.ts'
import { prepareFields } from '../prepare/prepare-fields.ts'
import { writesToProcess } from '../process-message/message-to-process.ts'
import type { RuleActor } from './acting-user.ts'
import type { RuleDependencies } from './dependencies.ts'
import { MessageChanged, type NotedOutcome, recordOutcome } from './record-outcome.ts'
import type { RepliedRecord } from './replied-record.ts'

type Fields = Readonly<Record<string, unknown>>

interface RunOptions {
  /** Fields that override the prepared ones. */
  readonly overriding?: Fields
  /** Throws when whoever runs the rule may not update the record as it is then. */
  readonly permit?: (item: Item | null | undefined) => Promise<void>
}

/**
 * Applies a rule to a message: creates the record, or does with `replied`, the record that the message replies to, what
 * `on_reply` says. What it did is noted on the message in the same transaction, so that it is done once, whatever crashes
 * and whoever else runs the rule; so is what it tells a process. Throws Invalid and other Faults when the rule fails; nothing is noted then.
 */
export async function runRule(
  rules: RuleDependencies,
  actor: RuleActor,
  message: IncomingMessage,
  rule: IncomingAction,
  replied: RepliedRecord | undefined,
  { overriding, permit }: RunOptions = {},
): Promise<NotedOutcome> {
  const { tenant } = actor
  const note = (act: (head: MessageHead) => Promise<RuleOutcome>) =>
    recordOutcome(rules, tenant, message.id, rule.id, act)
  const outcome = (kind: RuleOutcome['kind'], record?: { model: string; id: number }): RuleOutcome => ({
    actionId: rule.id,
    action: rule.name,
    kind,
    ...(record && { record: { model: record.model, id: record.id } }),
    at: isoTime(rules.clock.now()),
  })
  const end = (intents: readonly Write[]) => note((head) => transact(rules, actor, head, outcome('ended'), intents))

  if (rule.processMessage?.is_instead_of_record) return end(writesToProcess(rules, actor, message, rule))
  if (replied && rule.onReply === 'none') return end([])
  const table = await rules.tables.require(tenant, rule.targetModel)
  const tell = (record: StoredRecord) => writesToProcess(rules, actor, message, rule, { table, record })
  if (replied && rule.onReply === 'comment') {
    const told = tell(replied.record)
    return note((head) => commentOn(rules, actor, head, message, outcome('commented', replied.ref), told))
  }

  const updated = rule.onReply === 'update' ? replied : undefined
  const old = updated && flatRecord(table, updated.record)
  const prepared = await prepareFields(rules, actor, table, message, rule, { overriding, ...(old && { old }) })
  const { data, intents } = prepared
  if (prepared.hasReturned) return end(intents)
  if (updated) {
    return note(async (head) => {
      const done = outcome('updated', updated.ref)
      const heard = await hearOf(rules, tenant, head, message, updated.ref)
      const extraWrites = [...noteOutcome(tenant, head, done), ...intents, ...(heard?.intents ?? [])]
      // Its script may have made every change itself: the outcome is due all the same.
      const options = {
        extraWrites,
        alwaysMakesExtraWrites: true,
        writesWith: tell,
        writesWhenUnchanged: tell,
        ...(permit && { permit }),
        ...(heard && { conversation: heard.conversation }),
      }
      await changeRecord(rules.records, actor, table, updated.ref.id, data, options)
      return done
    })
  }
  const record = await prepareNewRecord(rules.records, actor, table, data)
  return note(async (head) => {
    const done = (stored: StoredRecord) => outcome('created', { model: table.name, id: stored.id })
    const stored = await storeNewRecord(rules.records, actor, table, record, {
      ...(isWordOfPerson(message) && { conversation: begunBy('message') }),
      extraWrites: (one) => [
        ...noteOutcome(tenant, head, done(one)),
        ...aboutNewRecord(intents, table.name, one),
        ...tell(one),
      ],
    })
    return done(stored)
  })
}

async function transact(
  { store, clock }: Pick<RuleDependencies, 'store' | 'clock'>,
  { tenant }: Pick<RuleActor, 'tenant'>,
  head: MessageHead,
  done: RuleOutcome,
  intents: readonly Write[],
): Promise<RuleOutcome> {
  await store.transact(tenant, [...noteOutcome(tenant, head, done), ...intents], clock.uuid())
  return done
}

/**
 * Adds a message as a comment to the record of an outcome, and notes the outcome with it. A record gets one comment of a
 * message, whatever number of rules match. `further`: writes in the same transaction.
 */
async function commentOn(
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
  await writeReceivedComment(comments, tenant, record, receivedComment(head, message, record.id), [
    { write: noted, refused: () => new MessageChanged() },
    ...others,
    ...further,
  ])
  return outcome
}

const receivedComment = (head: MessageHead, message: IncomingMessage, recordId: number): ReceivedComment => ({
  userId: message.userId ?? null,
  from: { name: message.fromName, email: message.fromEmail },
  messageId: message.id,
  through: throughOf(head, recordId),
  isAutomatic: !isWordOfPerson(message),
  // Its history is that of the record; the message keeps it.
  body: newTextOf(message),
  attachments: message.attachments.flatMap(({ path }) => path ?? []),
})

/**
 * What a message that changes its record, and becomes no comment, does besides: it is the customer's word in the conversation,
 * and whoever watches is notified. Undefined for a message of somebody else, and once a rule did something with the record.
 */
async function hearOf(
  { comments }: RuleDependencies,
  tenant: RuleActor['tenant'],
  head: MessageHead,
  message: IncomingMessage,
  ref: { readonly model: string; readonly id: number },
) {
  if (head.outcomes.some(({ record }) => record?.model === ref.model && record.id === ref.id)) return undefined
  const heard = await hearReceived(comments, tenant, ref, receivedComment(head, message, ref.id))
  return heard && { ...heard, conversation: { by: 'customer' as const, after: heard.after } }
}

/**
 * The record as whose requester somebody wrote: the one that the message answered, which may have been merged since. A user
 * who answers the record itself may be of the team.
 */
function throughOf({ replyTo, replyThrough, userId }: MessageHead, recordId: number): number | undefined {
  const answered = replyThrough ?? replyTo?.id ?? recordId
  return answered === recordId && userId !== undefined ? undefined : answered
}
