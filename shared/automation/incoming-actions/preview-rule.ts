import { type FieldMessages, messagesOf } from '../../kernel/failures/sentence.ts'
import { permittedFields } from '../../kernel/permissions.ts'
import type { Caller } from '../../kernel/principal.ts'
import { requireMessage } from '../../messages/incoming-messages/find-message.ts'
import type { IncomingMessage } from '../../messages/incoming-messages/message.ts'
import { dryRunScript } from '../../records/records/hooks/dry-run-script.ts'
import { flatRecord } from '../../records/records/hooks/script-records.ts'
import { checkNewRecord } from '../../records/records/write/check-new-record.ts'
import type { DryRun } from '../../scripts/schema.ts'
import { requireUsableRule } from './administer/list-incoming-actions.ts'
import type { IncomingAction } from './incoming-action.ts'
import { mapMessage, openProblems } from './prepare/prepare-fields.ts'
import { scriptMessage } from './prepare/run-script.ts'
import { messageToProcess } from './process-message/message-to-process.ts'
import { requireRuleRights } from './rule-rights.ts'
import { ruleActor } from './run/acting-user.ts'
import type { RuleDependencies } from './run/dependencies.ts'
import { repliedRecord } from './run/replied-record.ts'

/** What a rule would make of a message. */
export interface Preview {
  readonly data: Readonly<Record<string, unknown>>
  readonly model: string
  /** What is wrong with the data, by field. */
  readonly errors: FieldMessages
  /** What its script would do; null for a rule without one. */
  readonly script: DryRun | null
  /** What it would tell a process; no key: it is of the record that it would make. */
  readonly process_message?: ToldInPreview
}

interface ToldInPreview {
  readonly name: string
  readonly correlation_key?: string
  readonly variables?: Readonly<Record<string, unknown>>
}

/**
 * Prepares the data of a record without effects: nothing is created or sent, and no bot state is written. Throws
 * NotFound and Forbidden as running the rule would.
 */
export async function previewRule(
  rules: RuleDependencies,
  caller: Caller,
  ruleId: number,
  messageId: number,
): Promise<Preview> {
  const rule = await requireUsableRule(rules, caller, ruleId)
  const message = await requireMessage(rules, caller, messageId)
  const replied = await repliedRecord(rules, caller.tenant, message, rule)
  await requireRuleRights(rules.records.access, caller, rule, replied)
  const table = await rules.tables.require(caller.tenant, rule.targetModel)
  if (rule.processMessage?.is_instead_of_record)
    return { data: {}, model: table.name, errors: {}, script: null, ...tellOf(caller, rule, message, undefined) }
  const actor = ruleActor(caller.tenant, message, { ...caller })
  const mapped = await mapMessage(rules, actor, table, message, rule)
  const script =
    rule.script === null || rule.script.trim() === ''
      ? null
      : await dryRunScript(rules.records, await rules.openScripts(), actor, {
          script: rule.script,
          kind: 'incoming',
          model: table.name,
          data: mapped.data,
          incoming: scriptMessage(message),
        })
  const data = { ...(script ? (script.data as object) : mapped.data) }
  const isRecord = script === null || (script.status === 'ok' && !script.returned)
  const errors = isRecord
    ? messagesOf({
        ...(await checkNewRecord(rules.records, actor, table, data)),
        ...openProblems(mapped.problems, data),
      })
    : {}
  const told = isRecord && tellOf(caller, rule, message, replied && flatRecord(table, replied.record))
  return { ...visibleTo(caller, table.name, data, script), model: table.name, errors, ...told }
}

/**
 * A script runs with all rights. So people who are no administrators see the fields that they may read, and of what the
 * script would do only that it would.
 */
function visibleTo(
  caller: Caller,
  model: string,
  data: Preview['data'],
  script: DryRun | null,
): Pick<Preview, 'data' | 'script'> {
  if (caller.isAdministrator) return { data, script }
  const readable = permittedFields(caller, model, 'read')
  const seen = Object.fromEntries(Object.entries(data).filter(([name]) => readable?.has(name) ?? true))
  return {
    data: seen,
    script: script && {
      ...script,
      data: seen,
      log: [],
      sent: script.sent.map(({ method }) => ({ method })),
      written: script.written.map(({ action, model: table }) => ({ action, model: table })),
    },
  }
}

/** What a rule would tell a process. As of a script, people who are no administrators see that it would. */
function tellOf(
  caller: Caller,
  rule: IncomingAction,
  message: IncomingMessage,
  record: Readonly<Record<string, unknown>> | undefined,
): Pick<Preview, 'process_message'> {
  const told = messageToProcess(rule, message, record)
  if (told === undefined) return {}
  const { name, key, variables } = told
  return {
    process_message: caller.isAdministrator
      ? { name, ...(key !== '' && { correlation_key: key }), variables }
      : { name },
  }
}
