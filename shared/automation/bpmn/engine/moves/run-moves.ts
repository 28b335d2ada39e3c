import { compensateNext } from '../events/compensate.ts'
import { occurWhenMet } from '../events/occur.ts'
import { raiseError } from '../events/raise-error.ts'
import { awaitsRequests } from '../tokens/ad-hoc.ts'
import { awaitEvent, type Bare } from '../tokens/await-event.ts'
import {
  countActivation,
  type EngineRun,
  type Move,
  nextId,
  nodeAt,
  recordEvent,
  StepFailure,
  type Token,
} from '../tokens/engine-run.ts'
import { arrive, enter, enterInto, iterate } from '../tokens/enter.ts'
import { nextJoin, resetJoin } from '../tokens/joins.ts'
import { performWork } from '../tokens/perform-work.ts'
import { waitsOf } from '../tokens/waits.ts'
import { finish } from './finish.ts'

/** Runs all pending moves until every token waits. True: no token is left and the process is completed. */
export async function runMoves(run: EngineRun): Promise<boolean> {
  for (;;) {
    for (let move = run.moves.shift(); move !== undefined; move = run.moves.shift()) {
      if (isValid(run, move)) await runMove(run, move)
      // What has changed something ends first.
      if (run.areConditionsStale && run.moves[0]?.do !== 'finish') while (await occurWhenMet(run));
      // What is left is stored, and the next step continues with it.
      if (run.moves.length > 0 && run.host.isOverdue?.() === true) return false
    }
    if (finishEmptyScopes(run)) continue
    const join = await nextJoin(run)
    if (join === undefined) {
      if ((await resetJoin(run)) || (await occurWhenMet(run))) continue
      break
    }
    countActivation(run, join.node)
    const id = nextId(run, join.node)
    recordEvent(run, join.node.id, id, 'entered')
    const position = { id, at: join.node.id, in: join.in, ...(join.task && { task: join.task }) }
    await run.elements.node(join.node.type)?.enter?.(run, join.node, position)
  }
  if (isEmpty(run, '')) return true
  const stuck = run.suspended[0]
  if (stuck !== undefined && waitsOf(run).length === 0) {
    const join = run.graph.flows.get(stuck.flow)?.target
    throw new StepFailure(
      join?.id,
      `${join?.label} waits for tokens that can never come, so the process would never end.`,
    )
  }
  return false
}

/** Moves within a sub-process that was cancelled meanwhile are skipped. */
const isValid = (run: EngineRun, move: Move): boolean => !('in' in move) || move.in === '' || run.tokens.has(move.in)

function runMove(run: EngineRun, move: Move): Promise<void> {
  switch (move.do) {
    case 'arrive':
      return arrive(run, move)
    case 'enter':
      return enter(run, move.node, move.in, move.gate, move.task)
    case 'arm':
      return armEvent(run, move)
    case 'into':
      return enterInto(run, move)
    case 'iterate':
      return iterate(run, move)
    case 'finish':
      return finish(run, move.id)
    case 'perform':
      return performAgain(run, move.id)
    case 'raise':
      return raiseError(run, move.error, move.in, move.id)
    case 'compensate':
      return compensateNext(run, move.id)
  }
}

async function performAgain(run: EngineRun, id: string): Promise<void> {
  const token = run.tokens.get(id)
  if (token === undefined) return
  await (run.elements.node(nodeAt(run, token.at).type)?.perform ?? performWork)(run, id)
}

/** Finishes sub-processes in which no token is left, or begins what is next in them. True: there was one. */
function finishEmptyScopes(run: EngineRun): boolean {
  const empty = [...run.tokens.values()].filter(
    (each) =>
      each.is === 'scope' && isEmpty(run, each.id) && ((each.queue ?? []).length > 0 || !awaitsRequests(run, each)),
  )
  for (const each of empty) {
    const [next, ...queue] = ('queue' in each ? each.queue : undefined) ?? []
    if (next === undefined) run.moves.push({ do: 'finish', id: each.id })
    else {
      run.tokens.set(each.id, { ...each, queue } as Token)
      run.moves.push({ do: 'enter', node: nodeAt(run, next), in: each.id })
    }
  }
  return empty.length > 0
}

const isEmpty = (run: EngineRun, scope: string): boolean =>
  !run.tokens.values().some((each) => each.in === scope && each.is !== 'alarm' && each.is !== 'part') &&
  !run.suspended.some((token) => token.in === scope)

/** Lets an event begin to wait whose activity or scope runs already. */
async function armEvent(run: EngineRun, { event, for: id }: Move & { do: 'arm' }): Promise<void> {
  const host = run.tokens.get(id)
  if (host === undefined && id !== '') return
  const node = nodeAt(run, event)
  await awaitEvent(run, node, host, (): Bare => {
    const position = { id: nextId(run, node), at: node.id }
    return host === undefined || node.attachedTo === undefined
      ? { is: 'alarm', ...position, in: id }
      : { is: 'watch', ...position, in: host.in, host: id }
  })
}
