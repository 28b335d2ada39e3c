import { byName } from '../../../kernel/collections/own-members.ts'
import { Fault, Invalid } from '../../../kernel/failures/faults.ts'
import { NoThreadFree } from '../../../kernel/throttling/throttled.ts'
import { processEffectKey } from '../../../platform/store/keys/processes.ts'
import type { Actor } from '../../../records/records/actor.ts'
import { recordEffects } from '../../../records/records/effects/record-effects.ts'
import type { HookContext } from '../../../records/records/hooks/run-hook.ts'
import { scriptAllowance, stepInto } from '../../../scripts/api/script-chain.ts'
import { runItem, writeRuns } from '../../../scripts/run-log.ts'
import type { ScriptResult } from '../../../scripts/script-runtime.ts'
import { typeOfField } from '../../../tables/field-types/read-field.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { BpmnError, type Work } from '../../bpmn/schema.ts'
import type { FieldValue, WorkDefinition } from '../../bpmn/shapes/compiled-process.ts'
import { type Read, union } from '../../bpmn/shapes/reads.ts'
import {
  type ExpressionScope,
  namedValue,
  scopeData,
  scopeNames,
  scopePrelude,
  valueOfText,
} from '../evaluate/step-expressions.ts'
import type { InputSource } from '../rows/decision-outcome.ts'
import { noRecord, recordIdOrNull } from '../rows/instance-row.ts'
import { sendNotification } from './send-notification.ts'
import type { StepContext } from './step-context.ts'

type Variables = Readonly<Record<string, unknown>>
type WorkResult = { readonly variables?: Variables } | undefined

export type StepWork = ReturnType<typeof stepWork>

/**
 * The work of one step: service tasks, script tasks, fields that user tasks set. Writes records through the effect
 * guard.
 */
export function stepWork(context: StepContext) {
  const { services: processes, actor, instance, scope, evaluate } = context
  const rows = {
    kind: 'process_effect',
    tryId: context.tryId,
    keyOf: (effect: string) => processEffectKey(actor.tenant, instance.id, effect),
  }
  const effects = recordEffects(processes.records, actor, rows, () => scope.forgetRecord())

  /**
   * Does the work of one activity. Throws BpmnError, which a boundary event may catch; any other Fault is an incident.
   */
  async function perform(definition: WorkDefinition | undefined, work: Work): Promise<WorkResult> {
    switch (definition?.kind) {
      case 'setFields':
        await setFields(work.executionId, definition.sets, work)
        return undefined
      case 'createRecord': {
        const data = await fieldValues(definition.table, definition.sets, work)
        const created = await withFieldMessages(() =>
          effects.create(`${work.executionId}#create`, definition.table, data),
        )
        return definition.resultVariable === undefined
          ? undefined
          : { variables: { [definition.resultVariable]: created } }
      }
      case 'notify': {
        const port = await context.notifications()
        for (const one of definition.notifications) await sendNotification(context, port, one, work)
        return undefined
      }
      case 'decision':
        return decide(definition, work)
      case 'script':
        return runScript(definition.script, definition.resultVariable, work)
      default:
        return undefined
    }
  }

  /** Sets fields of the instance's record. `effect` is unique within the instance. */
  async function setFields(effect: string, sets: readonly FieldValue[], at: ExpressionScope): Promise<void> {
    if (instance.recordId === noRecord)
      throw new Fault(
        'validation_failed',
        'It sets fields of the record, but this instance is about none: a timer or a signal has started it. Create a record with wf:createRecord, or change one in a script.',
      )
    const data = await fieldValues(instance.model, sets, at)
    await withFieldMessages(() => effects.update(`${effect}#set`, instance.model, instance.recordId, data))
  }

  async function fieldValues(
    model: string,
    sets: readonly FieldValue[],
    at: ExpressionScope,
  ): Promise<Record<string, unknown>> {
    const table = await processes.tables.require(actor.tenant, model)
    const data: Record<string, unknown> = byName()
    for (const { field, value } of sets) data[field] = convertText(table, field, await valueOfText(value, evaluate, at))
    return data
  }

  async function decide(
    { decision, pinned, resultVariable }: Extract<WorkDefinition, { kind: 'decision' }>,
    work: Work,
  ): Promise<WorkResult> {
    const code = String((await valueOfText(decision, evaluate, work)) ?? '')
    const asked = { code, ...(pinned !== undefined && { pinned }) }
    const sources = new Map<string, InputSource>()
    const reads = new Set<Read>(context.decided.get(work.elementId))
    const decided = await processes.decide(actor.tenant, asked, async (name) => {
      const { value, from } = await namedValue(name, scope, work)
      sources.set(name, from)
      reads.add(readOf(name, from, work))
      return value
    })
    context.decisions.keep(work.executionId, decided, sources)
    context.decided.set(work.elementId, union([...reads]))
    return { variables: { [resultVariable]: decided.result } }
  }

  async function runScript(script: string, resultVariable: string | undefined, work: Work): Promise<WorkResult> {
    const hooks = await processes.openScripts()
    const data = await scopeData(scope, work)
    const user = data.user ?? { id: actor.userId, name: '', email: '', roles: [] }
    // Only characters that the keys and cursors of the run log allow.
    const runId = `process.${instance.id}.${work.executionId.replace(/[^\w.:-]/g, ':')}`.slice(0, 100)
    const chain = stepInto({ path: [], allowance: scriptAllowance() }, `process.${instance.code}.${work.elementId}`)
    const scriptActor: Actor = { ...actor, name: user.name, email: user.email, chain }
    const result = await hooks.runtime.run({
      tenant: actor.tenant,
      kind: 'process',
      script: scopePrelude + script,
      model: instance.model,
      recordId: recordIdOrNull(instance.recordId),
      record: data.record ?? undefined,
      operationSource: 'process',
      runId,
      chain,
      user,
      variables: { data },
      records: effects.accessFor(work.executionId, hooks.recordsFor(scriptActor)),
      notifications: await context.notifications(),
      mayWrite: true,
    })
    // It did not run.
    if (result.defect instanceof NoThreadFree) throw result.defect
    await logRun(hooks, context, work, runId, result)
    if (result.defect !== undefined) throw result.defect
    if (result.status !== 'ok') throw scriptFailure(result)
    const changed = (result.data as { variables?: Variables } | undefined)?.variables
    return {
      variables: { ...changed, ...(resultVariable !== undefined && { [resultVariable]: result.value ?? null }) },
    }
  }

  return { perform, setFields }
}

/** Where the input of a decision came from. That there is nothing of a name tells that the record has no value of it. */
function readOf(name: string, from: InputSource, { variables }: ExpressionScope): Read {
  if (scopeNames.some((known) => known === name)) return '*'
  return from === 'field' || !Object.hasOwn(variables, name) ? `record.${name}` : `variables.${name}`
}

/** `$api.fail(message, code)` raises an error that a boundary event with that code may catch. */
function scriptFailure({ error }: ScriptResult): Error {
  const message = error?.message ?? 'The script failed.'
  return error?.field === undefined ? new Fault('validation_failed', message) : new BpmnError(error.field, message)
}

async function logRun(
  { store, nextId }: HookContext,
  { actor, instance }: StepContext,
  work: Work,
  runId: string,
  result: ScriptResult,
): Promise<void> {
  const subject = {
    runId,
    kind: 'process',
    automationId: null,
    name: `${instance.code}: ${work.elementId}`,
    model: instance.model,
    recordId: recordIdOrNull(instance.recordId),
    userId: actor.userId,
    impersonatorId: actor.impersonatorId,
    depth: 0,
  }
  await writeRuns(store, actor.tenant, [runItem(actor.tenant, nextId(), subject, result)])
}

/** Gives the message of an incident the reasons why fields were refused. */
async function withFieldMessages<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    const messages = error instanceof Invalid ? Object.values(error.errors).flat() : []
    if (messages.length === 0) throw error
    throw new Fault('validation_failed', messages.join(' '), { cause: error })
  }
}

/** Converts a text of the template into the type of its field; the value of an expression stays as it is. */
function convertText(table: Table, name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (value === '') return null
  const field = table.fieldsByName.get(name)
  const { readText } = field ? typeOfField(field) : {}
  return readText ? readText(value) : value
}
