import { requireMessage } from '../incoming-messages/service.ts'
import { Forbidden, Invalid, NotFound } from '../kernel/faults.ts'
import { mayOnTable, permittedFields } from '../kernel/permissions.ts'
import type { Caller } from '../kernel/principal.ts'
import { answerRecord, type EntityRecord, readLivingRecord } from '../records/service.ts'
import { recordKey } from '../store/keys/records.ts'
import { requireUsableRule } from './administer/list-incoming-actions.ts'
import { ruleActor } from './run/acting-user.ts'
import type { RuleDependencies } from './run/dependencies.ts'
import { runRule } from './run/run-rule.ts'
import type { ExecuteBody } from './schema.ts'

/**
 * Runs a rule for a message because somebody pressed its button, and answers the record. Once per rule and message:
 * pressed again, it answers the same record. Throws NotFound, Forbidden without create on the table, and Invalid when
 * the rule fails or ends without a record.
 */
export async function executeRule(
  deps: RuleDependencies,
  caller: Caller,
  ruleId: number,
  { message_id: messageId, data = {} }: ExecuteBody,
): Promise<EntityRecord> {
  const { tenant } = caller
  const rule = await requireUsableRule(deps, caller, ruleId)
  const message = await requireMessage(deps, caller, messageId)
  const model = rule.targetModel
  requireCreate(caller, model)
  requireWritable(caller, model, data)
  const actor = ruleActor(tenant, message, { ...caller })
  const { record } = await runRule(deps, actor, message, rule, data)
  if (!record)
    throw new Invalid({}, { code: 'ended_without_record', message: `The rule ${rule.name} ended without a record.` })
  const [table, item] = await Promise.all([
    deps.tables.require(tenant, record.model),
    deps.store.get(tenant, recordKey(tenant, record.model, record.id)),
  ])
  const stored = readLivingRecord(item)
  if (!stored) throw new NotFound('record', { model: record.model, id: record.id })
  return answerRecord(table, stored, permittedFields(caller, record.model, 'read'))
}

/** Throws Forbidden when the caller may not create records in a table. */
export function requireCreate(caller: Caller, model: string): void {
  if (!mayOnTable(caller, model, 'create'))
    throw new Forbidden('forbidden', `You may not create records in ${model}: it needs the permission ${model}.create.`)
}

/** A rule sets what it wants; what the caller adds is limited as in every create. */
function requireWritable(caller: Caller, model: string, data: Readonly<Record<string, unknown>>): void {
  const writable = permittedFields(caller, model, 'create')
  const refused = writable ? Object.keys(data).filter((name) => !writable.has(name)) : []
  if (refused.length > 0)
    throw new Invalid(Object.fromEntries(refused.map((name) => [`data.${name}`, ['You may not change this field.']])))
}
