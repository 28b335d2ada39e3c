import { maxCompensableActivities, maxCompensableBytes } from '../../../../kernel/limits/processes.ts'
import type { FlowNode } from '../../shapes/graph.ts'
import { cancel, cancelScope, forgetCompleted } from '../tokens/cancel.ts'
import {
  type CompletedActivity,
  type EngineRun,
  nextId,
  nodeAt,
  recordEvent,
  StepFailure,
  type Token,
  type TokenPosition,
} from '../tokens/engine-run.ts'
import { enter } from '../tokens/enter.ts'
import { leave } from '../tokens/leave.ts'
import { eventSubProcessesOf } from '../tokens/open-scope.ts'
import { openVariables } from '../tokens/variable-scopes.ts'
import { interrupt } from './raise-error.ts'
import { startEventSubProcess } from './start-event-sub-process.ts'

type Compensation = Token & { is: 'compensation' }

/**
 * What an event compensates: all that its scope has completed, or the activity that it names. The handler of a scope, an
 * event sub-process, means the scope around it.
 */
export function compensableFor(run: EngineRun, scope: string, activity?: string): string[] {
  const scopes = new Set([scope])
  let around = run.tokens.get(scope)
  for (; around !== undefined && nodeAt(run, around.at).isEventSubProcess; around = run.tokens.get(around.in))
    scopes.add(around.in)
  const found = run.completed.filter((one) => scopes.has(one.in) && (activity === undefined || one.at === activity))
  if (activity === undefined || found.length > 0 || around === undefined) return found.map(({ id }) => id)
  return compensableFor(run, around.in, activity)
}

/** Compensates what was completed, in the reverse order. */
export function beginCompensation(
  run: EngineRun,
  { gate: _, ...position }: TokenPosition,
  left: readonly string[],
  after: Compensation['after'],
): void {
  run.tokens.set(position.id, { ...position, is: 'compensation', left, after })
  run.moves.unshift({ do: 'compensate', id: position.id })
}

/** Compensates the next activity, or ends the compensation when none is left. */
export async function compensateNext(run: EngineRun, id: string): Promise<void> {
  const token = run.tokens.get(id)
  if (token?.is !== 'compensation') return
  const left = [...token.left]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const done = run.completed.find((one) => one.id === next)
    // Another compensation was faster.
    if (done === undefined) continue
    run.tokens.set(id, { ...token, left })
    run.completed = run.completed.filter((one) => one !== done)
    return await compensateActivity(run, id, done)
  }
  await endCompensation(run, token)
}

async function compensateActivity(run: EngineRun, compensation: string, done: CompletedActivity): Promise<void> {
  const node = nodeAt(run, done.at)
  const { variables = {}, tasks = {} } = done
  const handlerId = handlerOf(node)
  if (handlerId !== undefined) {
    forgetCompleted(run, done.id)
    const more = { compensation, ...(done.variables && { variables }) }
    return await enter(run, nodeAt(run, handlerId), done.in, undefined, done.task, more)
  }
  // A sub-process is opened again, with its variables of then, for its handler or for what was completed in it.
  const id = nextId(run, node)
  recordEvent(run, node.id, id, 'entered')
  run.tokens.set(id, { is: 'scope', id, at: node.id, in: done.in, compensation })
  const scope = openVariables(run, id)
  Object.assign(scope.variables, variables)
  Object.assign(scope.tasks, tasks)
  run.completed = run.completed.map((one) => (one.in === done.id ? { ...one, in: id } : one))
  const handler = handlerInside(run, node.id)
  if (handler !== undefined)
    return await startEventSubProcess(run, handler.body, handler.start, id, nextId(run, handler.start))
  beginCompensation(run, { id: `${id}~`, at: node.id, in: id }, compensableFor(run, id), 'end')
}

async function endCompensation(run: EngineRun, token: Compensation): Promise<void> {
  run.tokens.delete(token.id)
  if (token.after === 'end') return
  recordEvent(run, token.at, token.id, 'completed')
  if (token.after === 'leave') return await leave(run, nodeAt(run, token.at), token.in, token.id, token.task)
  const transaction = run.tokens.get(token.in)
  if (transaction === undefined) return
  const host = (transaction.loop === undefined ? undefined : run.tokens.get(transaction.loop)) ?? transaction
  const event = nodeAt(run, host.at).boundary.find(({ triggers }) => triggers.some(({ on }) => on === 'cancel'))
  if (event === undefined) cancel(run, host.id)
  else await interrupt(run, event, host.id, host.in)
}

/**
 * Ends everything in a transaction, compensates what was completed in it, and leaves it by its cancel event. One pass of
 * several cancels all of them, so those that are completed are compensated as well (docs/decisions/0102).
 */
export function cancelTransaction(run: EngineRun, position: TokenPosition, transaction: string): void {
  const isInTransaction = endOtherPasses(run, run.tokens.get(transaction))
  keepOpenScopes(run, transaction)
  const { completed } = run
  cancelScope(run, transaction)
  run.completed = completed
  const left = run.completed.filter((one) => one.in === transaction || isInTransaction(one)).map(({ id }) => id)
  beginCompensation(run, { ...position, in: transaction }, left, 'cancel')
}

/** Ends the other passes of a transaction and begins no more. Answers which completed activities are passes of it. */
function endOtherPasses(run: EngineRun, transaction: Token | undefined): (one: CompletedActivity) => boolean {
  const loop = transaction?.loop
  if (loop === undefined) return () => false
  run.moves = run.moves.filter((move) => move.do !== 'iterate' || move.id !== loop)
  for (const pass of run.tokens.values()) {
    if (pass.loop !== loop || pass.id === transaction?.id) continue
    keepOpenScopes(run, pass.id)
    if (run.completed.some((one) => one.in === pass.id)) run.completed.push(asCompleted(run, pass))
    const { completed } = run
    cancel(run, pass.id)
    run.completed = completed
  }
  return ({ id }) => id.startsWith(`${loop}.`)
}

/** What was completed in sub-processes that are still running is compensated as if they were completed now. */
function keepOpenScopes(run: EngineRun, scope: string): void {
  for (const token of run.tokens.values()) {
    if (token.in !== scope || token.is !== 'scope' || token.compensation !== undefined) continue
    keepOpenScopes(run, token.id)
    if (run.completed.some((one) => one.in === token.id)) run.completed.push(asCompleted(run, token))
  }
}

/** Notes a completed activity that may be compensated. */
export function noteCompleted(run: EngineRun, node: FlowNode, token: Token): void {
  if (token.compensation !== undefined) return forgetCompleted(run, token.id)
  // Its passes are noted one by one.
  if (token.is === 'loop') return
  const isCompensable =
    handlerOf(node) !== undefined ||
    (token.is === 'scope' &&
      (run.completed.some((one) => one.in === token.id) || handlerInside(run, node.id) !== undefined))
  if (isCompensable) keepCompleted(run, node, asCompleted(run, token))
}

/** Keeps a completed activity. @throws StepFailure when there are so many that the process must be looping without end. */
function keepCompleted(run: EngineRun, node: FlowNode, one: CompletedActivity): void {
  const before = keptBytes.get(run)
  run.completed.push(one)
  keptBytes.set(run, before === undefined ? sizeOf(run.completed) : before + sizeOf([one]))
  // What is not kept any more was not subtracted.
  const isTooLarge = (keptBytes.get(run) ?? 0) > maxCompensableBytes && sizeOf(run.completed) > maxCompensableBytes
  if (run.completed.length <= maxCompensableActivities && !isTooLarge) return
  throw new StepFailure(
    node.id,
    `${node.label} cannot be kept for its compensation: an instance keeps ${maxCompensableActivities} completed activities that may be compensated, with ${maxCompensableBytes / 1024 / 1024} MB of variables. Compensate them from time to time, or take the compensation out of what is repeated without end.`,
  )
}

/** How much a run keeps at most. */
const keptBytes = new WeakMap<EngineRun, number>()

const sizeOf = (completed: readonly CompletedActivity[]): number =>
  JSON.stringify(completed.map(({ variables, tasks }) => [variables, tasks])).length

function asCompleted(run: EngineRun, { id, at, in: scope, task, loop, index }: Token): CompletedActivity {
  const { variables = {}, tasks = {} } = run.scopes.get(id) ?? {}
  const body = loop === undefined ? undefined : run.tokens.get(loop)
  const own = nodeAt(run, at).loop
  const ofPass =
    body?.is === 'loop' && index !== undefined
      ? {
          loopCounter: index,
          ...(own?.kind === 'multi' && own.itemVariable !== undefined && { [own.itemVariable]: body.items?.[index] }),
        }
      : {}
  const seen = { ...ofPass, ...variables }
  return {
    id,
    at,
    in: scope,
    ...(task && { task }),
    ...(Object.keys(seen).length > 0 && { variables: seen }),
    ...(Object.keys(tasks).length > 0 && { tasks: { ...tasks } }),
  }
}

/** The activity that compensates another one. */
const handlerOf = ({ boundary }: FlowNode): string | undefined =>
  boundary
    .flatMap(({ triggers }) => triggers)
    .map((trigger) => (trigger.on === 'compensation' ? trigger.handler : undefined))
    .find((handler) => handler !== undefined)

/** The event sub-process that compensates a sub-process. */
const handlerInside = (run: EngineRun, parentId: string) =>
  eventSubProcessesOf(run, parentId).find(({ start }) => start.triggers.some(({ on }) => on === 'compensation'))
