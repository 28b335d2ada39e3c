import { byName, own } from '../../../kernel/collections/own-members.ts'
import { Fault } from '../../../kernel/failures/faults.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import type { HookContext } from '../../../records/records/hooks/run-hook.ts'
import type { RecordAccess } from '../../../scripts/api/record-access.ts'
import { scriptAllowance, type ScriptChain } from '../../../scripts/api/script-chain.ts'
import { givenVariables } from '../../bpmn/document/defined-variables.ts'
import { expressionOf, feelOf, parseExpression } from '../../bpmn/expressions/expression.ts'
import { globalNames } from '../../bpmn/expressions/global-names.ts'
import type { CompletedTask, LoopPosition } from '../../bpmn/schema.ts'
import type { InputSource } from '../rows/decision-outcome.ts'
import { type Instance, recordIdOrNull } from '../rows/instance-row.ts'
import type { StepScope } from './step-scope.ts'

/** The names that conditions and scripts of a process can use, besides those of every script. */
export const scopeNames = ['record', 'old', 'user', 'task', 'tasks', 'variables', 'loop'] as const

/**
 * Goes onto the first line of the author's text, so that line numbers in errors are the author's. `tasks` is a member of
 * the global object, because scripts of before may declare a variable of that name.
 */
export const scopePrelude = `var ${scopeNames
  .filter((name) => name !== 'tasks')
  .map((name) => `${name} = $data.${name}`)
  .join(', ')}; globalThis.tasks = $data.tasks; `

/** What an expression sees besides the record and the user. */
export interface ExpressionScope {
  readonly variables: Readonly<Record<string, unknown>>
  readonly loop?: LoopPosition
  /** The task that was just completed on the way to here. */
  readonly task?: CompletedTask | null
  /** The tasks that were completed, by their elements. */
  readonly tasks?: Readonly<Record<string, unknown>>
}

/** The limit of all conditions of one step together. */
const allowanceMs = 20_000

export type Evaluate = (expression: string, scope: ExpressionScope) => Promise<unknown>

/**
 * Evaluates the expressions of one step: FEEL and the simple forms of JavaScript here, the rest in the sandbox, with the
 * same result. Throws Fault with the expression and its error when one fails. `defines`: the variables that the process
 * sets itself, which are undefined until then.
 */
export function stepExpressions(
  open: () => Promise<HookContext>,
  tenant: Tenant,
  instance: Pick<Instance, 'id' | 'code' | 'model' | 'recordId'>,
  scope: StepScope,
  defines?: readonly string[],
): Evaluate {
  const defined: ReadonlySet<string> = new Set(defines === undefined ? [] : [...givenVariables, ...defines])
  const chain: ScriptChain = { path: [`process.${instance.code}`], allowance: scriptAllowance(allowanceMs) }
  return async (expression, at) => {
    // Loaded with the first expression: the parser takes time to load.
    const { compiledFeel, interpretedExpression } = await import('../../bpmn/expressions/compiled-expressions.ts')
    const source = expressionOf(expression)
    const feel = feelOf(source)
    if (feel !== undefined) {
      const { names, problems, evaluate } = await compiledFeel(feel)
      if (problems.length > 0)
        throw new Fault('validation_failed', `The expression ${expression.trim()} failed: ${problems.join(' ')}`)
      return evaluate(await namesFor(names, scope, at))
    }
    const { freeNames, evaluate } = interpretedExpression(source)
    const result = evaluate(await namesFor(freeNames, scope, at, defined))
    return result === undefined
      ? inSandbox(expression, source, variablesAmong(freeNames, at, defined), at)
      : result.value
  }

  async function inSandbox(
    expression: string,
    source: string,
    bare: readonly string[],
    at: ExpressionScope,
  ): Promise<unknown> {
    const { runtime } = await open()
    const data = await scopeData(scope, at)
    const user = data.user ?? { id: 0, name: '', email: '', roles: [] }
    const declared = [
      ...scopeNames.map((name) => `${name} = $data.${name}`),
      ...bare.map((name) => `${name} = $data.variables.${name}`),
    ]
    const result = await runtime.run({
      tenant,
      kind: 'condition',
      script: `var ${declared.join(', ')}; return (${source}\n)`,
      model: instance.model,
      recordId: recordIdOrNull(instance.recordId),
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

/** The variables that an expression names without `variables.` in front. What JavaScript defines comes first. */
const variablesAmong = (
  names: ReadonlySet<string>,
  { variables }: ExpressionScope,
  defined: ReadonlySet<string>,
): string[] =>
  [...names].filter(
    (name) =>
      (Object.hasOwn(variables, name) || defined.has(name)) &&
      /^[A-Za-z_]\w*$/.test(name) &&
      !scopeNames.some((known) => known === name) &&
      !globalNames.has(name),
  )

/** The values of the names that an expression uses; what it does not name is not read. */
async function namesFor(
  names: ReadonlySet<string>,
  scope: StepScope,
  at: ExpressionScope,
  defined: ReadonlySet<string> = new Set(),
): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = byName()
  for (const name of scopeNames) if (names.has(name)) values[name] = await readers[name](scope, at)
  for (const name of variablesAmong(names, at, defined)) values[name] = own(at.variables, name)
  return values
}

/** The value of one name: what expressions see of that name, else the field of the record, else null. */
export async function namedValue(
  name: string,
  scope: StepScope,
  at: ExpressionScope,
): Promise<{ readonly value: unknown; readonly from: InputSource }> {
  const { [name]: value } = await namesFor(new Set([name]), scope, at)
  if (value !== undefined) return { value, from: 'other' }
  if (Object.hasOwn(at.variables, name)) return { value: at.variables[name], from: 'other' }
  const record = await scope.record()
  return record !== null && Object.hasOwn(record, name)
    ? { value: record[name] ?? null, from: 'field' }
    : { value: null, from: 'other' }
}

const readers: Readonly<
  Record<(typeof scopeNames)[number], (scope: StepScope, at: ExpressionScope) => Promise<unknown> | unknown>
> = {
  record: (scope) => scope.record(),
  old: (scope) => scope.old(),
  user: (scope) => scope.user(),
  task: (scope, { task = scope.task }) => task,
  tasks: (_, { tasks = {} }) => tasks,
  variables: (_, { variables }) => variables,
  loop: (_, { loop }) => loop ?? null,
}

/** The values of `scopeNames`. */
export async function scopeData(scope: StepScope, { variables, loop, task = scope.task, tasks = {} }: ExpressionScope) {
  const [record, old, user] = await Promise.all([scope.record(), scope.old(), scope.user()])
  return { record, old, user, task, tasks, variables, loop: loop ?? null }
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
