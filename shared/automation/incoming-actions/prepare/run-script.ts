import { Invalid } from '../../../kernel/failures/faults.ts'
import { maxScriptItems, maxScriptMessageCharacters, maxScriptTextCharacters } from '../../../kernel/limits/incoming.ts'
import { describeMessage } from '../../../messages/incoming-messages/describe-message.ts'
import type { IncomingMessage } from '../../../messages/incoming-messages/message.ts'
import { ruleEffectKey } from '../../../platform/store/keys/messages/incoming.ts'
import { recordEffects } from '../../../records/records/effects/record-effects.ts'
import type { NotificationPort } from '../../../scripts/api/notification-port.ts'
import type { FlatRecord } from '../../../scripts/api/record-access.ts'
import { scriptAllowance, stepInto } from '../../../scripts/api/script-chain.ts'
import { runItem, writeRuns } from '../../../scripts/run-log.ts'
import type { ScriptResult } from '../../../scripts/script-runtime.ts'
import type { IncomingAction } from '../incoming-action.ts'
import type { MessageDocument } from '../match/message-path.ts'
import type { RuleActor } from '../run/acting-user.ts'
import type { RuleDependencies } from '../run/dependencies.ts'

type Fields = Readonly<Record<string, unknown>>

/** What the script of a rule left. */
export interface ScriptedFields {
  readonly data: Fields
  /** A top-level `return` ended it: no record. */
  readonly hasReturned: boolean
  /** What it sends, for the transaction of its outcome. */
  readonly notifications: NotificationPort
}

/**
 * Runs the script of a rule. Its writes are guarded: when the rule is repeated after a crash they are not made again, as
 * long as the rule is unchanged. Throws Invalid when it refuses or fails, and the defect when the service does.
 */
export async function runScript(
  rules: Pick<RuleDependencies, 'openScripts' | 'records'>,
  actor: RuleActor,
  message: IncomingMessage,
  rule: IncomingAction & { readonly script: string },
  { data, old }: { readonly data: Fields; readonly old?: FlatRecord },
): Promise<ScriptedFields> {
  const { tenant } = actor
  const { runtime, recordsFor, store, nextId } = await rules.openScripts()
  const notifications = runtime.notifications()
  const work = `${rule.id}.${rule.version}`
  const runId = `message.${message.id}.${work}`
  const chain = stepInto({ path: [], allowance: scriptAllowance() }, `${rule.targetModel}.incoming`)
  const scriptActor = { ...actor, chain, source: 'script' }
  const effects = recordEffects(rules.records, scriptActor, {
    kind: 'rule_effect',
    // A rule is repeated as it is; a changed one has effects of its own.
    tryId: 'once',
    keyOf: (effect) => ruleEffectKey(tenant, message.id, effect),
  })
  const result = await runtime.run({
    tenant,
    kind: 'incoming',
    script: rule.script,
    model: rule.targetModel,
    recordId: old?.id ?? null,
    record: old,
    operationSource: 'rule',
    runId,
    chain,
    user: { id: actor.userId, name: actor.name, email: actor.email, roles: actor.roles },
    ...(actor.impersonatorId !== undefined && { impersonatorId: actor.impersonatorId }),
    ...(actor.suppressedRecipient !== undefined && { suppressedRecipient: actor.suppressedRecipient }),
    ...(actor.answering !== undefined && { answering: actor.answering }),
    ...(message.channel === 'messenger' && { incomingChannelId: message.channelId ?? 0 }),
    variables: { data, incoming: scriptMessage(message), ...(old && { old }) },
    records: effects.accessFor(work, recordsFor(scriptActor)),
    notifications,
    mayWrite: true,
  })
  const subject = {
    runId,
    kind: 'incoming',
    automationId: null,
    name: rule.name,
    model: rule.targetModel,
    recordId: old?.id ?? null,
    userId: actor.userId,
    impersonatorId: actor.impersonatorId,
    depth: 0,
  }
  await writeRuns(store, tenant, [runItem(tenant, nextId(), subject, result)])
  if (result.defect !== undefined) throw result.defect
  if (result.status !== 'ok') throw scriptFailure(rule.name, result.error)
  return { data: result.data as Fields, hasReturned: result.returned, notifications }
}

/** What a script that refused or failed says to whoever asked for its record. */
function scriptFailure(name: string, error: ScriptResult['error']): Invalid {
  const { message: text = 'The script failed', line = null, column = null, field, isDeliberate } = error ?? {}
  const message = isDeliberate ? text : `The script of the rule "${name}" failed: ${text}`
  return new Invalid(field === undefined ? {} : { [field]: [message] }, {
    code: 'rule_failed',
    message,
    details: { line, column },
  })
}

/** `$incoming`: the message as the API answers it. */
export function scriptMessage(message: IncomingMessage): MessageDocument {
  const whole = describeMessage(message)
  return JSON.stringify(whole).length <= maxScriptMessageCharacters ? whole : (shortened(whole) as MessageDocument)
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > maxScriptTextCharacters
      ? `${value.slice(0, maxScriptTextCharacters - 1).toWellFormed()}…`
      : value
  if (Array.isArray(value)) return value.slice(0, maxScriptItems).map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, maxScriptItems)
      .map(([name, member]) => [name, shortened(member)]),
  )
}
