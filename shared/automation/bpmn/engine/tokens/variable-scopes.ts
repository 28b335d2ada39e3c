import { isDeepStrictEqual } from 'node:util'
import { byName } from '../../../../kernel/collections/own-members.ts'
import type { CompletedTask, ElementScope, LoopPosition, TaskResult } from '../../schema.ts'
import { type EngineRun, type LoopBody, nodeAt, type TokenPosition, type VariableScope } from './engine-run.ts'

type Variables = Readonly<Record<string, unknown>>

/** The scope of the process itself. */
export const processScope = ''

/** What an expression at a token sees. `more`: variables before all others, and the task that has just been completed. */
export function scopeAt(
  run: EngineRun,
  token: TokenPosition | undefined,
  more: { readonly variables?: Variables; readonly task?: CompletedTask } = {},
): Pick<ElementScope, 'variables' | 'loop' | 'task' | 'tasks'> {
  const loop = loopPositionOf(run, token)
  return {
    variables: { ...variablesOf(run, token), ...more.variables },
    task: more.task ?? taskOf(run, token) ?? null,
    tasks: tasksOf(run, token),
    ...(loop !== undefined && { loop }),
  }
}

/** A token and the tokens around it, from the inside out. */
function* outwards(run: EngineRun, token: TokenPosition | undefined): Generator<TokenPosition> {
  for (let each = token; each !== undefined; each = run.tokens.get(each.in)) yield each
}

/** Reading looks outwards: the nearest value of a name counts. */
function variablesOf(run: EngineRun, token: TokenPosition | undefined): Variables {
  const inner = [...outwards(run, token)].flatMap((each) => [
    ...(run.scopes.has(each.id) ? [run.scopes.get(each.id)?.variables] : []),
    ...(each.loop === undefined ? [] : [countersOf(run, each)]),
  ])
  return Object.assign(byName(), run.scopes.get(processScope)?.variables, ...inner.toReversed()) as Variables
}

const tasksOf = (run: EngineRun, token: TokenPosition | undefined): Readonly<Record<string, TaskResult>> =>
  Object.assign(
    byName(),
    run.scopes.get(processScope)?.tasks,
    ...[...outwards(run, token)].map(({ id }) => run.scopes.get(id)?.tasks).toReversed(),
  ) as Readonly<Record<string, TaskResult>>

/** The task that was completed last on the way to a token. */
function taskOf(run: EngineRun, token: TokenPosition | undefined): CompletedTask | undefined {
  for (const each of outwards(run, token)) {
    const task = each.task ?? (each.loop === undefined ? undefined : run.tokens.get(each.loop)?.task)
    if (task !== undefined) return task
  }
  return run.task
}

/** What a pass knows of its loop. Nobody stores it, so that a thousand passes take no room. */
function countersOf(run: EngineRun, { loop: id, index = 0, at }: TokenPosition): Variables {
  const body = id === undefined ? undefined : run.tokens.get(id)
  const { loop } = nodeAt(run, at)
  if (body?.is !== 'loop' || loop === undefined) return {}
  if (loop.kind !== 'multi') return { loopCounter: index }
  return {
    ...countsOf(body),
    loopCounter: index,
    ...(loop.itemVariable !== undefined && body.items !== undefined && { [loop.itemVariable]: body.items[index] }),
  }
}

/** The counts of BPMN 2.0.2, table 10.31, and as other engines call them. */
export const countsOf = ({ total, begun, done }: LoopBody): Variables => ({
  numberOfInstances: total,
  numberOfActiveInstances: begun - done,
  numberOfCompletedInstances: done,
  numberOfTerminatedInstances: 0,
  nrOfInstances: total,
  nrOfActiveInstances: begun - done,
  nrOfCompletedInstances: done,
})

const counters: ReadonlySet<string> = new Set([
  'loopCounter',
  ...Object.keys(countsOf({ total: 0, begun: 0, done: 0 } as LoopBody)),
])

/** Whether a name is that of a counter, which belongs to the loop and not to what it calls. */
export const isCounter = (name: string): boolean => counters.has(name)

/** The iteration that a token belongs to: its own, or that of the nearest sub-process around it. */
export function loopPositionOf(run: EngineRun, token: TokenPosition | undefined): LoopPosition | undefined {
  for (const { loop, index } of outwards(run, token)) {
    const body = loop === undefined ? undefined : run.tokens.get(loop)
    if (body?.is !== 'loop' || index === undefined) continue
    return {
      index,
      ...(body.total !== undefined && { total: body.total }),
      ...(body.items !== undefined && { item: body.items[index] }),
    }
  }
  return undefined
}

/** Whether new variables belong to what a token stands for. A standard loop has one scope for all of its passes. */
function ownsScope(run: EngineRun, { id, at, loop }: TokenPosition): boolean {
  const node = nodeAt(run, at)
  return (
    run.tokens.get(id)?.is === 'scope' ||
    (loop !== undefined && node.loop?.kind === 'multi') ||
    (node.mapping?.out.length ?? 0) > 0
  )
}

/**
 * Writing changes the nearest variable of a name, else makes one in the innermost scope. Values that are as the token
 * sees them are not written: they are what it was given.
 */
export function assign(run: EngineRun, token: TokenPosition | undefined, values: Variables = {}): void {
  const seen = variablesOf(run, token)
  for (const [name, value] of Object.entries(values)) {
    if (Object.hasOwn(seen, name) && isDeepStrictEqual(seen[name], value)) continue
    writeTo(run, holderOf(run, [...outwards(run, token)], name), name, value)
  }
}

/** Hands over what an activity's output mapping names: to what is around it, or to its own pass of a loop. */
export function assignOutward(run: EngineRun, token: TokenPosition, values: Variables): void {
  const around = [...outwards(run, run.tokens.get(token.in))]
  const isPass = token.loop !== undefined && nodeAt(run, token.at).loop?.kind === 'multi'
  for (const [name, value] of Object.entries(values)) {
    const known = around.some(({ id }) => hasVariable(run, id, name)) || hasVariable(run, processScope, name)
    writeTo(run, isPass && !known ? token.id : holderOf(run, around, name), name, value)
  }
}

const hasVariable = (run: EngineRun, id: string, name: string): boolean =>
  Object.hasOwn(run.scopes.get(id)?.variables ?? {}, name)

function holderOf(run: EngineRun, tokens: readonly TokenPosition[], name: string): string {
  const nearest = tokens.find(
    (each) =>
      hasVariable(run, each.id, name) || (each.loop !== undefined && Object.hasOwn(countersOf(run, each), name)),
  )
  if (nearest !== undefined) return nearest.id
  return hasVariable(run, processScope, name)
    ? processScope
    : (tokens.find((each) => ownsScope(run, each))?.id ?? processScope)
}

function writeTo(run: EngineRun, id: string, name: string, value: unknown): void {
  Object.assign(openVariables(run, id).variables, { [name]: value })
  run.areConditionsStale = true
}

/** The scope with this id, which begins empty. It ends with its token. */
export function openVariables(run: EngineRun, id: string): VariableScope {
  const scope = run.scopes.get(id) ?? { variables: byName<unknown>(), tasks: byName<TaskResult>() }
  run.scopes.set(id, scope)
  return scope
}

/** Notes how a task was completed: in the scope around it, and in its own pass of a loop. */
export function noteTask(run: EngineRun, { id, at, in: around, loop }: TokenPosition, result: TaskResult): void {
  for (const scope of loop === undefined ? [around] : [id, around]) openVariables(run, scope).tasks[at] = result
}
