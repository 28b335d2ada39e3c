import { permittedFields } from '../../../kernel/permissions.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { requireMessage } from '../../../messages/incoming-messages/find-message.ts'
import { noteOutcome } from '../../../messages/incoming-messages/receive/save-message.ts'
import type { EntityRecord } from '../../../records/records/schema.ts'
import { prepareNewRecord, storeNewRecord } from '../../../records/records/write/create-record.ts'
import { answerOutcome } from '../execute-rule.ts'
import { filesFor } from '../prepare/files-for.ts'
import { requireOnTable } from '../rule-rights.ts'
import type { RuleDependencies } from '../run/dependencies.ts'
import { recordOutcome } from '../run/record-outcome.ts'
import type { MakeRecordBody } from '../schema.ts'
import { byHandId, madeByHand, outcomeByHand } from './outcome-by-hand.ts'

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
        extraWrites: ({ id }) => noteOutcome(tenant, head, made(id)),
      })
      return made(stored.id)
    },
    madeByHand,
  )
  return answerOutcome(rules, caller, done.outcome.action, done)
}
