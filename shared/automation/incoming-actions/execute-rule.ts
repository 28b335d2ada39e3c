import { Invalid, NotFound } from '../../kernel/failures/faults.ts'
import { mayOnTable, permittedFields } from '../../kernel/permissions.ts'
import type { Caller } from '../../kernel/principal.ts'
import { requireMessage } from '../../messages/incoming-messages/find-message.ts'
import { recordKey } from '../../platform/store/keys/records.ts'
import { answerRecord, readLivingRecord } from '../../records/records/record-item.ts'
import type { EntityRecord } from '../../records/records/schema.ts'
import { requireUsableRule } from './administer/list-incoming-actions.ts'
import { joinThread } from './replies/join-thread.ts'
import { requireReadableRecord, requireRuleRights } from './rule-rights.ts'
import { ruleActor } from './run/acting-user.ts'
import type { RuleDependencies } from './run/dependencies.ts'
import { type NotedOutcome, successOf } from './run/record-outcome.ts'
import { repliedRecord } from './run/replied-record.ts'
import { runRule } from './run/run-rule.ts'
import type { ExecuteBody } from './schema.ts'

/**
 * Runs a rule for a message because somebody pressed its button, and answers the record. Once per rule and message:
 * pressed again, it answers the same record to whoever may read it. Throws NotFound, also for a record that is hidden
 * from the caller, Forbidden without the rights that the caller would need to do it without the rule, and Invalid when
 * the rule fails or ends without a record.
 */
export async function executeRule(
  rules: RuleDependencies,
  caller: Caller,
  ruleId: number,
  { message_id: messageId, data = {} }: ExecuteBody,
): Promise<EntityRecord> {
  const { tenant } = caller
  const { access } = rules.records
  const rule = await requireUsableRule(rules, caller, ruleId)
  const found = await requireMessage(rules, caller, messageId)
  const known = successOf(found, rule.id)
  if (known) return answerOutcome(rules, caller, rule.name, { outcome: known, isNew: false })
  const message = await joinThread(rules, tenant, found)
  const replied = await repliedRecord(rules, tenant, message, rule)
  await requireRuleRights(access, caller, rule, replied, data)
  const actor = ruleActor(tenant, message, { ...caller })
  const done = await runRule(rules, actor, message, rule, replied, {
    overriding: data,
    // The record may have changed since it was read.
    ...(replied && { permit: (item) => access.require(caller, replied.ref.model, replied.ref.id, 'update', item) }),
  })
  return answerOutcome(rules, caller, rule.name, done)
}

/**
 * The record of an outcome as the caller may read it. What this call did is not undone when that is nothing: then its
 * record has no fields.
 */
export async function answerOutcome(
  { store, tables, records: { access } }: Pick<RuleDependencies, 'store' | 'tables' | 'records'>,
  caller: Caller,
  rule: string,
  { outcome: { record }, isNew }: NotedOutcome,
): Promise<EntityRecord> {
  const { tenant } = caller
  if (!record)
    throw new Invalid({}, { code: 'ended_without_record', message: `The rule ${rule} ended without a record.` })
  const { model, id } = record
  const [table, item] = await Promise.all([
    tables.require(tenant, model),
    store.get(tenant, recordKey(tenant, model, id)),
  ])
  if (!isNew) await requireReadableRecord(access, caller, model, id, item)
  const stored = readLivingRecord(item, table)
  if (!stored) throw new NotFound('record', { model, id })
  const [seen] = mayOnTable(caller, model, 'read') ? await access.permitted(caller, model, 'read', [item]) : []
  return answerRecord(table, seen ? stored : { ...stored, data: {} }, permittedFields(caller, model, 'read'))
}
