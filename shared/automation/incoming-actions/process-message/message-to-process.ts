import { byName } from '../../../kernel/collections/own-members.ts'
import { Invalid } from '../../../kernel/failures/faults.ts'
import { maxCorrelationKeyCharacters, maxVariableBytes } from '../../../kernel/limits/processes.ts'
import type { IncomingMessage } from '../../../messages/incoming-messages/message.ts'
import type { Write } from '../../../platform/store/store.ts'
import { flatRecord } from '../../../records/records/hooks/script-records.ts'
import type { StoredRecord } from '../../../records/records/record-item.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { IncomingAction } from '../incoming-action.ts'
import { valueAt } from '../match/message-path.ts'
import { isLiteral } from '../prepare/map-fields.ts'
import { scriptMessage } from '../prepare/run-script.ts'
import type { RuleActor } from '../run/acting-user.ts'
import type { RuleDependencies, ToldProcess } from '../run/dependencies.ts'
import { recordFieldOf } from './record-path.ts'

type Flat = Readonly<Record<string, unknown>>

/**
 * The message for processes that a rule makes of an incoming one; undefined when it sends none. Without `record`, values
 * of it are left out and the key is empty. Throws Invalid when the key has no value, or something is too large.
 */
export function messageToProcess(
  { name: rule, processMessage }: Pick<IncomingAction, 'name' | 'processMessage'>,
  message: IncomingMessage,
  record: Flat | undefined,
): ToldProcess | undefined {
  if (!processMessage) return undefined
  const { name, correlation_key: given, variables: sources = {} } = processMessage
  const document = scriptMessage(message)
  const valueOf = (source: string): unknown => {
    if (isLiteral(source)) return source.slice(1)
    const field = recordFieldOf(source)
    if (field === undefined) return valueAt(document, source)
    return record !== undefined && Object.hasOwn(record, field) ? record[field] : undefined
  }
  const from = given ?? 'record.id'
  const key = valueOf(from)
  const variables: Record<string, unknown> = byName()
  for (const [variable, source] of Object.entries(sources)) {
    const value = valueOf(source)
    if (value !== undefined) variables[variable] = value
  }
  const isKnownLater = record === undefined && recordFieldOf(from) !== undefined
  const isKey = (typeof key === 'string' && key !== '') || typeof key === 'number'
  const refuse = (problem: string): never => {
    throw new Invalid(
      { process_message: [problem] },
      { code: 'rule_failed', message: `The rule "${rule}" cannot send the process message ${name}: ${problem}` },
    )
  }
  if (!isKey && !isKnownLater) refuse(`its correlation_key, ${from}, has no value that is a text or a number.`)
  if (String(key ?? '').length > maxCorrelationKeyCharacters)
    refuse(`its correlation_key has more than ${maxCorrelationKeyCharacters} characters.`)
  if (Buffer.byteLength(JSON.stringify(variables)) > maxVariableBytes) refuse('its variables are larger than 64 KB.')
  return { name, key: isKnownLater ? '' : String(key), variables }
}

/** The write that sends it, for the transaction of the outcome: so it is sent once for each message and rule. */
export function writesToProcess(
  rules: Pick<RuleDependencies, 'tellProcess'>,
  actor: RuleActor,
  message: IncomingMessage,
  rule: Pick<IncomingAction, 'id' | 'name' | 'processMessage'>,
  about?: { readonly table: Table; readonly record: StoredRecord },
): readonly Write[] {
  const record = about && (flatRecord(about.table, about.record) as Flat)
  const told = messageToProcess(rule, message, record)
  return told === undefined ? [] : [rules.tellProcess(actor.tenant, { ...told, id: `${message.id}.${rule.id}` }, actor)]
}
