import { Fault } from '../../../kernel/faults.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import type { HookParts } from '../../../records/service.ts'
import { type RecordAccess, scriptAllowance, type ScriptChain } from '../../../scripts/service.ts'
import { expressionOf, parseExpression } from '../../definition/expression.ts'
import type { LoopPosition } from '../../engine/schema.ts'
import type { Instance } from '../../rows/instance-row.ts'
import type { StepScope } from './step-scope.ts'

/** The names that conditions and scripts of a process find, beside those of every script. */
export const scopeNames = ['record', 'old', 'user', 'task', 'variables', 'loop'] as const

/** On the first line of the author's text, so that lines count as they stand there. */
export const scopePrelude = `var ${scopeNames.map((name) => `${name} = $data.${name}`).join(', ')}; `

export interface ExpressionScope {
  readonly variables: Readonly<Record<string, unknown>>
  readonly loop?: LoopPosition
}

/** All conditions of one step may take so long together. */
const allowanceMs = 20_000

export type Evaluate = (expression: string, scope: ExpressionScope) => Promise<unknown>

/** Evaluates expressions of one step in the sandbox. What an expression throws is thrown as a Fault with its text. */
export function stepExpressions(
  open: () => Promise<HookParts>,
  tenant: Tenant,
  instance: Pick<Instance, 'id' | 'code' | 'model' | 'recordId'>,
  scope: StepScope,
): Evaluate {
  const chain: ScriptChain = { path: [`process.${instance.code}`], allowance: scriptAllowance(allowanceMs) }
  return async (expression, { variables, loop }) => {
    const { room } = await open()
    const data = await scopeData(scope, variables, loop)
    const user = data.user ?? { id: 0, name: '', email: '', roles: [] }
    const result = await room.run({
      tenant,
      kind: 'condition',
      script: `${scopePrelude}return (${expressionOf(expression)}\n)`,
      model: instance.model,
      recordId: instance.recordId,
      runId: `process.${instance.id}`,
      chain,
      user,
      variables: { data },
      records: noRecords,
      notifications: room.notifications(),
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

export async function scopeData(
  scope: StepScope,
  variables: Readonly<Record<string, unknown>>,
  loop: LoopPosition | undefined,
) {
  const [record, old, user] = await Promise.all([scope.record(), scope.old(), scope.user()])
  return { record, old, user, task: scope.task, variables, loop: loop ?? null }
}

/** A text of the template as a value: itself, what its expression yields, or itself with its expressions filled in. */
export async function valueOfText(text: string, evaluate: Evaluate, scope: ExpressionScope): Promise<unknown> {
  const parsed = parseExpression(text)
  return parsed.kind === 'literal' ? parsed.text : evaluate(parsed.source, scope)
}

const refuse = async (): Promise<never> => {
  throw new Fault('validation_failed', 'Conditions cannot reach records: use record and variables.')
}
const noRecords: RecordAccess = {
  get: refuse,
  query: refuse,
  count: refuse,
  create: refuse,
  update: refuse,
  remove: refuse,
  startProcess: refuse,
}
