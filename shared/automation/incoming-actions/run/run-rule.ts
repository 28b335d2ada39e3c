import { isoTime } from '../../../kernel/time/clock.ts'
import { aboutNewRecord } from '../../../messages/deliveries/rows/about-record.ts'
import type { IncomingMessage, MessageHead, RuleOutcome } from '../../../messages/incoming-messages/message.ts'
import { noteOutcome } from '../../../messages/incoming-messages/receive/save-message.ts'
import type { Write } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { flatRecord } from '../../../records/records/hooks/script-records.ts'
import type { StoredRecord } from '../../../records/records/record-item.ts'
import { changeRecord } from '../../../records/records/write/change-record.ts'
import { prepareNewRecord, storeNewRecord } from '../../../records/records/write/create-record.ts'
import type { IncomingAction } from '../incoming-action.ts'
import { prepareFields } from '../prepare/prepare-fields.ts'
import { writesToProcess } from '../process-message/message-to-process.ts'
import type { RuleActor } from './acting-user.ts'
import { commentOn } from './comment-on-record.ts'
import type { RuleDependencies } from './dependencies.ts'
import { type NotedOutcome, recordOutcome } from './record-outcome.ts'
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
      const extraWrites = [...noteOutcome(tenant, head, done), ...intents]
      // Its script may have made every change itself: the outcome is due all the same.
      const options = {
        extraWrites,
        alwaysMakesExtraWrites: true,
        writesWith: tell,
        writesWhenUnchanged: tell,
        ...(permit && { permit }),
      }
      await changeRecord(rules.records, actor, table, updated.ref.id, data, options)
      return done
    })
  }
  const record = await prepareNewRecord(rules.records, actor, table, data)
  return note(async (head) => {
    const done = (stored: StoredRecord) => outcome('created', { model: table.name, id: stored.id })
    const stored = await storeNewRecord(rules.records, actor, table, record, {
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
