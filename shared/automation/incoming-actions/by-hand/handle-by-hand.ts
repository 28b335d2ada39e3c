import { permittedFields } from '../../../kernel/permissions.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { findMessageHead, requireMessage } from '../../../messages/incoming-messages/find-message.ts'
import {
  byHandId,
  isWordOfPerson,
  isProcessed,
  type MessageHead,
  type RecordRef,
  type RuleOutcome,
} from '../../../messages/incoming-messages/message.ts'
import { changeMessage, noteOutcome } from '../../../messages/incoming-messages/receive/save-message.ts'
import { begunBy } from '../../../platform/store/rows/conversation-state.ts'
import type { Write } from '../../../platform/store/store.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import type { EntityRecord } from '../../../records/records/schema.ts'
import { prepareNewRecord, storeNewRecord } from '../../../records/records/write/create-record.ts'
import { answerOutcome } from '../execute-rule.ts'
import { filesFor } from '../prepare/map-fields.ts'
import { requireOnTable } from '../rule-rights.ts'
import type { RuleDependencies } from '../run/dependencies.ts'
import { MessageChanged, recordOutcome } from '../run/record-outcome.ts'
import type { MakeRecordBody } from '../schema.ts'

/**
 * Makes a record of a message as the caller fills it in, and links both: the message is part of its conversation, and
 * answers to the mail lead there. Once per message: asked again, it answers the same record. Throws NotFound, Forbidden
 * and Invalid as creating the record would.
 */
export async function makeRecordOfMessage(
  rules: RuleDependencies,
  caller: Caller,
  messageId: number,
  { model, data }: MakeRecordBody,
): Promise<EntityRecord> {
  const { tenant } = caller
  requireOnTable(caller, model, 'create')
  const message = await requireMessage(rules, caller, messageId)
  const known = madeByHand(message)
  if (known) return answerOutcome(rules, caller, known.action, { outcome: known, isNew: false })
  const table = await rules.tables.require(tenant, model)
  const writable = permittedFields(caller, model, 'create')
  const files = Object.entries(message.channel === 'email' ? filesFor(table, data, message) : {})
  const fields = { ...Object.fromEntries(files.filter(([name]) => writable?.has(name) ?? true)), ...data }
  const record = await prepareNewRecord(rules.records, caller, table, fields)
  const done = await recordOutcome(
    rules,
    tenant,
    messageId,
    byHandId,
    async (head) => {
      const made = (id: number) => outcomeByHand(isoTime(rules.clock.now()), { model: table.name, id })
      const stored = await storeNewRecord(rules.records, caller, table, record, {
        ...(isWordOfPerson(head) && { conversation: begunBy('message') }),
        extraWrites: ({ id }) => noteOutcome(tenant, head, made(id)),
      })
      return made(stored.id)
    },
    madeByHand,
  )
  return answerOutcome(rules, caller, done.outcome.action, done)
}

type Dependencies = Pick<RuleDependencies, 'store' | 'clock' | 'fetchObject'>

/**
 * Sets a message aside that nothing follows from, or takes that back (`isAside: false`). One that a rule dealt with is left
 * as it is. Repeatable. Throws NotFound for a message that the caller may not read.
 */
export async function setMessageAside(
  rules: Dependencies,
  caller: Caller,
  messageId: number,
  isAside: boolean,
): Promise<void> {
  const { store, clock } = rules
  const { tenant } = caller
  await requireMessage(rules, caller, messageId)
  await retryWithJitter(clock, async (again) => {
    const head = await findMessageHead(store, tenant, messageId)
    if (!head || isAside === isProcessed(head)) return
    const writes: Write[] = isAside
      ? noteOutcome(tenant, head, outcomeByHand(isoTime(clock.now())))
      : [changeMessage(tenant, head, { outcomes: head.outcomes.filter((outcome) => !isSetAside(outcome)) })]
    if (!isAside && !head.outcomes.some(isSetAside)) return
    if (!(await wasApplied(store.transact(tenant, writes, clock.uuid())))) again(new MessageChanged())
  })
}

const byHand = 'by hand'

/** What somebody did with a message: made a record of it, or set it aside. */
const outcomeByHand = (at: string, record?: RecordRef): RuleOutcome => ({
  actionId: byHandId,
  action: byHand,
  kind: record ? 'created' : 'ended',
  ...(record && { record }),
  at,
})

/** The record that somebody made of a message. */
const madeByHand = ({ outcomes }: Pick<MessageHead, 'outcomes'>): RuleOutcome | undefined =>
  outcomes.find(({ actionId, record }) => actionId === byHandId && record !== undefined)

/** Whether somebody set a message aside. */
const isSetAside = ({ actionId, action, kind }: RuleOutcome): boolean =>
  actionId === byHandId && action === byHand && kind === 'ended'
