import { findPeople } from '../../../accounts/people/lookup/find-people.ts'
import { type FieldErrors, Invalid } from '../../../kernel/failures/faults.ts'
import type { IncomingMessage } from '../../../messages/incoming-messages/message.ts'
import type { Write } from '../../../platform/store/store.ts'
import type { FlatRecord } from '../../../scripts/api/record-access.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { IncomingAction } from '../incoming-action.ts'
import type { RuleActor } from '../run/acting-user.ts'
import type { RuleDependencies } from '../run/dependencies.ts'
import { filesFor, mapFields, type MappedFields } from './map-fields.ts'
import { runScript, scriptMessage } from './run-script.ts'

type Fields = Readonly<Record<string, unknown>>

/** What a rule makes of a message. */
export interface PreparedFields {
  readonly data: Fields
  /** The script ended by `return`: no record. */
  readonly hasReturned: boolean
  /** What its script sends, to be stored with the outcome. */
  readonly intents: readonly Write[]
}

const withoutNotifications = { hasReturned: false, intents: [] }

/**
 * Prepares the data of a record: mapping, then script, then `overriding`. `old`: the record, when it is to be updated.
 * Throws Invalid naming the fields whose value could not be converted, unless something else set them.
 */
export async function prepareFields(
  rules: RuleDependencies,
  actor: RuleActor,
  table: Table,
  message: IncomingMessage,
  rule: IncomingAction,
  { overriding = {}, old }: { readonly overriding?: Fields; readonly old?: FlatRecord } = {},
): Promise<PreparedFields> {
  const mapped = await mapMessage(rules, actor, table, message, rule, old === undefined)
  const { script } = rule
  if (script === null || script.trim() === '') {
    const data = { ...mapped.data, ...overriding }
    requireConverted(mapped.problems, data)
    return { data, ...withoutNotifications }
  }
  const given = { data: mapped.data, ...(old && { old }) }
  const scripted = await runScript(rules, actor, message, { ...rule, script }, given)
  const { hasReturned, notifications } = scripted
  const data = { ...scripted.data, ...overriding }
  if (!hasReturned) requireConverted(mapped.problems, data)
  return { data, hasReturned, intents: notifications.writes }
}

/**
 * The mapping of a rule for a message. The files of a mail that makes a record (`isNew`) go to the only file field of the
 * table, unless the mapping names it.
 */
export async function mapMessage(
  { store, timeZone }: Pick<RuleDependencies, 'store' | 'timeZone'>,
  { tenant }: Pick<RuleActor, 'tenant'>,
  table: Table,
  message: IncomingMessage,
  { fieldMapping }: Pick<IncomingAction, 'fieldMapping'>,
  isNew = true,
): Promise<MappedFields> {
  const mapped = await mapFields(table, fieldMapping, scriptMessage(message), {
    timeZone: await timeZone(tenant),
    userIdOf: async (address) =>
      (await findPeople(store, tenant, { email: address.toLowerCase() }, { searchesEmail: true }))[0]?.id,
  })
  const files = isNew && message.channel === 'email' ? filesFor(table, fieldMapping, message) : {}
  return { ...mapped, data: { ...files, ...mapped.data } }
}

/** The problems of a mapping that nothing in the data has settled since. */
export const openProblems = (problems: MappedFields['problems'], data: Fields): FieldErrors =>
  Object.fromEntries(
    Object.entries(problems).flatMap(([name, problem]) => (Object.hasOwn(data, name) ? [] : [[name, [problem]]])),
  )

function requireConverted(problems: MappedFields['problems'], data: Fields): void {
  const errors = openProblems(problems, data)
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
}
