import { Fault } from '../../../../kernel/failures/faults.ts'
import type { Tenant } from '../../../../kernel/tenancy.ts'
import type { HookContext } from '../../../../records/records/service.ts'
import { type RecordAccess, scriptAllowance, type ScriptChain } from '../../../../scripts/service.ts'
import { expressionOf, parseExpression } from '../../definition/expression.ts'
import type { LoopPosition } from '../../engine/schema.ts'
import type { Instance } from '../../rows/instance-row.ts'
import type { StepScope } from './step-scope.ts'

/** The names that conditions and scripts of a process can use, besides those of every script. */
export const scopeNames = ['record', 'old', 'user', 'task', 'variables', 'loop'] as const

/** Goes onto the first line of the author's text, so that line numbers in errors are the author's. */
export const scopePrelude = `var ${scopeNames.map((name) => `${name} = $data.${name}`).join(', ')}; `

export interface ExpressionScope {
  readonly variables: Readonly<Record<string, unknown>>
  readonly loop?: LoopPosition
}

/** The limit of all conditions of one step together. */
const allowanceMs = 20_000

export type Evaluate = (expression: string, scope: ExpressionScope) => Promise<unknown>

/**
 * Evaluates the expressions of one step in the sandbox. Throws Fault with the expression and its error when one fails.
 */
export function stepExpressions(
  open: () => Promise<HookContext>,
  tenant: Tenant,
  instance: Pick<Instance, 'id' | 'code' | 'model' | 'recordId'>,
  scope: StepScope,
): Evaluate {
  const chain: ScriptChain = { path: [`process.${instance.code}`], allowance: scriptAllowance(allowanceMs) }
  return async (expression, { variables, loop }) => {
    const { runtime } = await open()
    const data = await scopeData(scope, variables, loop)
    const user = data.user ?? { id: 0, name: '', email: '', roles: [] }
    const result = await runtime.run({
      tenant,
      kind: 'condition',
      script: `${scopePrelude}return (${expressionOf(expression)}\n)`,
      model: instance.model,
      recordId: instance.recordId,
      record: data.record ?? undefined,
      operationSource: 'process',
      processId: instance.id,
      runId: `process.${instance.id}`,
      chain,
      user,
      variables: { data },
      records: noRecords,
      notifications: runtime.notifications(),
      mayWrite: false,
    })
    if (result.defect !== undefined) throw result.defect
    if (result.status !== 'ok')
      throw new Fault(
        'validation_failed',
        `The expression ${expression.trim()} failed: ${result.error?.message ?? 'it was stopped'}`,
      )
    return result.value
  }
}

/** The values of `scopeNames`. */
export async function scopeData(
  scope: StepScope,
  variables: Readonly<Record<string, unknown>>,
  loop: LoopPosition | undefined,
) {
  const [record, old, user] = await Promise.all([scope.record(), scope.old(), scope.user()])
  return { record, old, user, task: scope.task, variables, loop: loop ?? null }
}

/**
 * The value of a text in a template: the text, the value of its expression, or the text with its expressions filled in.
 */
export async function valueOfText(text: string, evaluate: Evaluate, scope: ExpressionScope): Promise<unknown> {
  const parsed = parseExpression(text)
  return parsed.kind === 'literal' ? parsed.text : evaluate(parsed.source, scope)
}

const refuse = async (): Promise<never> => {
  throw new Fault('validation_failed', 'Conditions cannot reach records: use record and variables.')
}
const noRecords = new Proxy({}, { get: () => refuse }) as RecordAccess
