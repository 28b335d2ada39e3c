import type { FieldErrors } from '../../kernel/failures/faults.ts'
import type { Warning } from '../../kernel/failures/warning.ts'
import { maxConditionBytes, maxMappingBytes } from '../../kernel/limits/incoming.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { didYouMean } from '../../kernel/text/did-you-mean.ts'
import { warnOfMails } from '../../messages/notification-templates/check-content.ts'
import { checkSource, ScriptSyntaxError } from '../../scripts/source/check-source.ts'
import { scriptWarnings } from '../../scripts/source/script-warnings.ts'
import { ErrorList } from '../../tables/tables/error-list.ts'
import type { Tables } from '../../tables/tables/read-tables.ts'
import type { Table } from '../../tables/tables/table.ts'
import type { IncomingAction } from './incoming-action.ts'
import { pathProblem } from './match/message-path.ts'
import { parseCondition } from './match/parse-condition.ts'
import { convertPlain, isLiteral } from './prepare/map-fields.ts'
import { checkProcessMessage } from './process-message/check-process-message.ts'
import { checkReopen } from './run/reopen-answered.ts'

export interface CheckDependencies {
  readonly tables: Pick<Tables, 'find' | 'all'>
}

/** Any moment: whether a condition is valid does not depend on it. */
const sampleVariables = { nowMs: Date.UTC(2026, 0, 1), timeZone: 'UTC' }

type Checked = Pick<
  IncomingAction,
  'targetModel' | 'fieldMapping' | 'script' | 'condition' | 'processMessage' | 'isAutomatic' | 'onReply' | 'reopen'
>
type TableNames = { find(name: string): Promise<Table | undefined>; names(): Promise<readonly string[]> }

/** The errors of a rule against the current tables, by path. */
export async function checkIncomingAction(
  { tables }: CheckDependencies,
  tenant: Tenant,
  rule: Checked,
): Promise<FieldErrors> {
  const list = new ErrorList()
  await checkRule(
    {
      find: (name) => tables.find(tenant, name),
      names: async () => (await tables.all(tenant)).map(({ name }) => name),
    },
    rule,
    list,
  )
  return list.problems
}

/** Adds the errors of table, mapping, condition and script to `list`, with their paths below `path`. */
export async function checkRule(
  tables: TableNames,
  { targetModel, fieldMapping, condition, script, processMessage, isAutomatic, onReply, reopen }: Checked,
  list: ErrorList,
  path = '',
): Promise<void> {
  const table = await tables.find(targetModel)
  if (table) checkMapping(table, fieldMapping, list, `${path}field_mapping`)
  else
    list.add(`${path}target_model`, `There is no table ${targetModel}.${didYouMean(targetModel, await tables.names())}`)
  if (condition !== null && Buffer.byteLength(JSON.stringify(condition)) > maxConditionBytes)
    list.add(`${path}condition`, 'The condition may not be larger than 20 KB.')
  else parseCondition(condition, sampleVariables, list, `${path}condition`)
  checkScript(script, list, `${path}script`)
  checkReopen({ reopen, onReply }, table, list, `${path}reopen`)
  if (processMessage)
    checkProcessMessage(
      {
        message: processMessage,
        table,
        isAutomatic,
        hasOwnData: Boolean(script?.trim()) || Object.keys(fieldMapping).length > 0,
      },
      list,
      `${path}process_message`,
    )
}

/** Warnings for the script of a rule: fields that the table lacks, templates that do not exist, and what they do not get. */
export async function ruleWarnings(
  {
    find,
    templates,
  }: Pick<TableNames, 'find'> & { readonly templates: () => Promise<ReadonlyMap<string, readonly string[]>> },
  { model, script }: { readonly model: string; readonly script?: string | null },
): Promise<Warning[]> {
  if (!script) return []
  const table = await find(model)
  const fields = table && [...table.fieldsByName.keys()]
  return [
    ...scriptWarnings(script, table && { name: table.name, fields: table.fieldsByName.keys() }).map((warning) => ({
      path: 'script',
      ...warning,
    })),
    ...(await warnOfMails(script, 'script', fields, templates)),
  ]
}

/**
 * Why a rule fails: the errors that have come up since it was saved. Null when all is well.
 */
export async function problemOf(services: CheckDependencies, tenant: Tenant, rule: Checked): Promise<string | null> {
  const errors = Object.entries(await checkIncomingAction(services, tenant, rule))
  return errors.length === 0 ? null : errors.flatMap(([path, messages]) => `${path}: ${messages.join(' ')}`).join(' ')
}

function checkMapping(table: Table, mapping: IncomingAction['fieldMapping'], list: ErrorList, path: string): void {
  if (Buffer.byteLength(JSON.stringify(mapping)) > maxMappingBytes)
    return list.add(path, 'The field_mapping may not be larger than 100 KB.')
  for (const [name, source] of Object.entries(mapping)) {
    const field = table.fieldsByName.get(name)
    const at = `${path}.${name}`
    if (!field) {
      list.add(at, `There is no field ${name} of ${table.name}.${didYouMean(name, table.fieldsByName.keys())}`)
    } else if (isLiteral(source)) {
      const converted = convertPlain(field, source.slice(1), 'UTC')
      if (converted && 'error' in converted) list.add(at, converted.error)
    } else {
      const problem = pathProblem(source)
      if (problem !== undefined) list.add(at, problem)
    }
  }
}

function checkScript(script: string | null, list: ErrorList, path: string): void {
  if (script === null) return
  try {
    checkSource(script)
  } catch (error) {
    if (!(error instanceof ScriptSyntaxError)) throw error
    for (const message of error.asValidationError().problems.script ?? [error.message]) list.add(path, message)
  }
}
