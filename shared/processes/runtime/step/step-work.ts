import { Fault, Invalid } from '../../../kernel/faults.ts'
import type { Actor, HookParts } from '../../../records/service.ts'
import { scriptAllowance, stepInto, runItem, writeRuns, type ScriptResult } from '../../../scripts/service.ts'
import type { Table } from '../../../tables/service.ts'
import type { FieldValue, WorkDefinition } from '../../definition/compiled-process.ts'
import { BpmnError, type Work } from '../../engine/schema.ts'
import { sendNotification } from './notify.ts'
import { stepEffects } from './step-effects.ts'
import { scopeData, scopePrelude, valueOfText, type ExpressionScope } from './step-expressions.ts'
import type { StepParts } from './step-parts.ts'

type Variables = Readonly<Record<string, unknown>>
type Worked = { readonly variables?: Variables } | undefined

/** Does the work of tasks, and sets fields where user tasks ask for it. Every write of a record is made once, however often the step is repeated. */
export function stepWork(parts: StepParts) {
  const { deps, actor, instance, scope, evaluate } = parts
  const effects = stepEffects(deps, actor, instance.id, () => scope.forgetRecord())

  /** Throws BpmnError for what a boundary event may catch; what else it throws is an incident. */
  async function perform(definition: WorkDefinition | undefined, work: Work): Promise<Worked> {
    switch (definition?.kind) {
      case 'setFields':
        await setFields(work.executionId, definition.sets, work)
        return undefined
      case 'createRecord': {
        const data = await fieldValues(definition.table, definition.sets, work)
        const made = await explained(() => effects.create(`${work.executionId}#create`, definition.table, data))
        return definition.resultVariable === undefined
          ? undefined
          : { variables: { [definition.resultVariable]: made } }
      }
      case 'notify': {
        const port = await parts.notifications()
        for (const one of definition.notifications) await sendNotification(parts, port, one, work)
        return undefined
      }
      case 'script':
        return runScript(definition.script, definition.resultVariable, work)
      default:
        return undefined
    }
  }

  /** Sets fields of the instance's record. `place` tells this from everything else the instance does. */
  async function setFields(place: string, sets: readonly FieldValue[], at: ExpressionScope): Promise<void> {
    const data = await fieldValues(instance.model, sets, at)
    await explained(() => effects.update(`${place}#set`, instance.model, instance.recordId, data))
  }

  async function fieldValues(
    model: string,
    sets: readonly FieldValue[],
    at: ExpressionScope,
  ): Promise<Record<string, unknown>> {
    const table = await deps.tables.require(actor.tenant, model)
    const data: Record<string, unknown> = {}
    for (const { field, value } of sets) data[field] = typed(table, field, await valueOfText(value, evaluate, at))
    return data
  }

  async function runScript(script: string, resultVariable: string | undefined, work: Work): Promise<Worked> {
    const hooks = await deps.openScripts()
    const data = await scopeData(scope, work.variables, work.loop)
    const user = data.user ?? { id: actor.userId, name: '', email: '', roles: [] }
    // As the keys and cursors of the run log take it.
    const runId = `process.${instance.id}.${work.executionId.replace(/[^\w.:-]/g, ':')}`.slice(0, 100)
    const chain = stepInto({ path: [], allowance: scriptAllowance() }, `process.${instance.code}.${work.elementId}`)
    const scriptActor: Actor = { ...actor, name: user.name, email: user.email, chain }
    const result = await hooks.room.run({
      tenant: actor.tenant,
      kind: 'process',
      script: scopePrelude + script,
      model: instance.model,
      recordId: instance.recordId,
      runId,
      chain,
      user,
      variables: { data },
      records: effects.accessFor(work.executionId, hooks.recordsFor(scriptActor)),
      notifications: await parts.notifications(),
      mayWrite: true,
    })
    await logRun(hooks, parts, work, runId, result)
    if (result.defect !== undefined) throw result.defect
    if (result.status !== 'ok') throw refusal(result)
    const changed = (result.data as { variables?: Variables } | undefined)?.variables
    return {
      variables: { ...changed, ...(resultVariable !== undefined && { [resultVariable]: result.value ?? null }) },
    }
  }

  return { perform, setFields }
}

/** `$api.fail(message, code)` is an error that a boundary event of that code may catch. */
function refusal({ error }: ScriptResult): Error {
  const message = error?.message ?? 'The script failed.'
  return error?.field === undefined ? new Fault('validation_failed', message) : new BpmnError(error.field, message)
}

async function logRun(
  { store, nextId }: HookParts,
  { actor, instance }: StepParts,
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
    recordId: instance.recordId,
    userId: actor.userId,
    depth: 0,
  }
  await writeRuns(store, actor.tenant, [runItem(actor.tenant, nextId(), subject, result)])
}

/** An incident tells which fields were refused, not only that some were. */
async function explained<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    const messages = error instanceof Invalid ? Object.values(error.errors).flat() : []
    if (messages.length === 0) throw error
    throw new Fault('validation_failed', messages.join(' '), { cause: error })
  }
}

/** A text of the template in the type of its field; what an expression yields stays as it is. */
function typed(table: Table, name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (value === '') return null
  switch (table.fieldsByName.get(name)?.type) {
    case 'integer':
    case 'float':
    case 'user':
    case 'model_list':
    case 'company':
    case 'org_unit':
      return Number.isFinite(Number(value)) ? Number(value) : value
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value
    default:
      return value
  }
}
