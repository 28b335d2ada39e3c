import { didYouMean, listed, thereIsNo } from '../../../kernel/text/did-you-mean.ts'
import { cancel } from '../engine/tokens/cancel.ts'
import { type EngineRun, type Move, nodeAt, type SuspendedToken, type Token } from '../engine/tokens/engine-run.ts'
import { runningScopes } from '../engine/tokens/enter.ts'
import { changeTokens } from '../process.ts'
import type { CompletedTask, EngineState } from '../schema.ts'
import type { CompiledProcess } from '../shapes/compiled-process.ts'
import type { FlowNode } from '../shapes/graph.ts'

/** Where tokens are to go, and which are to end, by elements. */
export interface TokenChange {
  readonly move: readonly { readonly from: string; readonly to: string }[]
  readonly cancel: readonly string[]
}

/** What cannot be done, at a path of the request. */
export interface ChangeProblem {
  readonly path: string
  readonly message: string
}

/** Everything that stands at an element: tokens, those that wait at a join, and moves that a failed step left. */
interface Standing {
  readonly tokens: readonly Token[]
  readonly joining: readonly SuspendedToken[]
  readonly moves: readonly Move[]
}

/** One way of a token that is moved: the scope that it stays in, and the elements from there to its target. */
interface Way {
  readonly in: string
  readonly path: readonly string[]
  readonly task: CompletedTask | undefined
}

/**
 * Moves and cancels tokens of a waiting process. Targets are entered by the next step. A sub-process in which nothing is
 * left is cancelled, and one that a target stands in is opened, or is the one that runs. Nothing is done when there are
 * problems.
 */
export function modifyTokens(compiled: CompiledProcess, state: EngineState, change: TokenChange, nowMs: number) {
  const problems: ChangeProblem[] = []
  const changed = changeTokens(compiled, state, nowMs, (run) => modify(run, change, problems))
  return { ...changed, problems }
}

function modify(run: EngineRun, change: TokenChange, problems: ChangeProblem[]): void {
  const report = (path: string, message: string): void => void problems.push({ path, message })
  const sources = [
    ...change.move.map(({ from }, index) => ({ path: `move.${index}.from`, id: from })),
    ...change.cancel.map((id, index) => ({ path: `cancel.${index}`, id })),
  ]
  const standing = sources.map(({ path, id }, index) => {
    if (sources.findIndex((one) => one.id === id) < index) {
      report(path, `${id} is named twice: all tokens of an element are moved or cancelled together.`)
      return undefined
    }
    return standingAt(run, path, id, report)
  })
  const targets = change.move.map(({ to }, index) => targetOf(run, `move.${index}.to`, to, report))
  if (problems.length > 0) return
  const chosen = new Set(standing.flatMap((one) => one?.tokens.map(({ id }) => id) ?? []))
  for (const [index, { path, id }] of sources.entries()) {
    const around = standing[index]?.tokens.map((token) => outerOf(run, token.in).find((each) => chosen.has(each.id)))
    const outer = around?.find((one) => one !== undefined)
    if (outer) report(path, `${id} is inside of ${outer.at}, which is moved or cancelled as a whole.`)
  }
  const ways = change.move.flatMap((_, index) =>
    waysTo(run, `move.${index}.to`, standing[index] as Standing, targets[index] as FlowNode, report),
  )
  if (problems.length > 0) return
  const touched = standing.flatMap((one) => (one === undefined ? [] : removeStanding(run, one)))
  for (const { in: scope, path, task } of ways) run.moves.push({ do: 'into', path, in: scope, ...(task && { task }) })
  for (const scope of touched) endEmptyScopes(run, scope, report)
  const isOver = !run.tokens.values().some(({ is, in: scope }) => scope === '' && is !== 'alarm' && is !== 'part')
  if (isOver && run.moves.length === 0 && run.suspended.length === 0)
    report('cancel', 'Nothing would be left of the process: cancel the instance instead.')
}

type Report = (path: string, message: string) => void

/** Finds a node of the process, or says which is like it. */
function findNode(run: EngineRun, path: string, id: string, report: Report): FlowNode | undefined {
  const node = run.graph.nodes.get(id)
  if (node !== undefined) return node
  const flow = run.graph.flows.get(id)
  if (flow !== undefined) report(path, `${id} is a flow: name the element that it leads to, ${flow.target.id}.`)
  else report(path, `${id}: ${thereIsNo('element', id, [...run.graph.nodes.keys()])}`)
  return undefined
}

/** Tokens that belong to another one. */
const isAttached = ({ is, loop }: Token): boolean =>
  is === 'watch' || is === 'alarm' || is === 'part' || is === 'reset' || loop !== undefined

function standingAt(run: EngineRun, path: string, id: string, report: Report): Standing | undefined {
  const node = findNode(run, path, id, report)
  if (node === undefined) return undefined
  if (node.attachedTo !== undefined) {
    report(path, `${id} is on the border of ${node.attachedTo.id} and waits with it: name that one.`)
    return undefined
  }
  const tokens = [...run.tokens.values()].filter((token) => token.at === id && !isAttached(token))
  const joining = run.suspended.filter(({ flow }) => run.graph.flows.get(flow)?.target.id === id)
  const moves = run.moves.filter((move) => targetOfMove(move) === id)
  for (const token of tokens) {
    const gate = token.gate === undefined ? undefined : run.tokens.get(token.gate)?.at
    if (gate !== undefined) report(path, `${id} waits with the gateway ${gate}: name that one.`)
    if (token.is === 'compensation' || token.compensation !== undefined)
      report(path, `${id} is part of a compensation, which has to end first.`)
  }
  if (tokens.length + joining.length + moves.length > 0) return { tokens, joining, moves }
  const known = [...new Set([...run.tokens.values()].filter((token) => !isAttached(token)).map(({ at }) => at))]
  report(path, `No token is at ${id}.${didYouMean(id, known) || ` There are some at: ${listed(known)}.`}`)
  return undefined
}

function targetOfMove(move: Move): string | undefined {
  if (move.do === 'enter') return move.node.id
  if (move.do === 'arrive') return move.flow.target.id
  return move.do === 'into' ? move.path.at(-1) : undefined
}

/** The element that tokens are to enter, if one can be entered from anywhere. */
function targetOf(run: EngineRun, path: string, id: string, report: Report): FlowNode | undefined {
  const node = findNode(run, path, id, report)
  if (node === undefined) return undefined
  const reason = whyNotEntered(run, node)
  if (reason === undefined) return node
  report(path, `${id} ${reason}`)
  return undefined
}

function whyNotEntered(run: EngineRun, node: FlowNode): string | undefined {
  if (node.attachedTo !== undefined)
    return `is on the border of ${node.attachedTo.id} and begins to wait with it: name that one, or what comes after the event.`
  if (node.isEventSubProcess) return 'is started by its event alone: name an element in it that runs already.'
  if (node.isForCompensation) return 'runs only to undo another activity.'
  const behaviour = run.elements.node(node.type)
  if (behaviour?.isStart && (node.triggers.length > 0 || run.graph.nodes.get(node.parentId)?.isEventSubProcess))
    return 'starts by its event alone: name what comes after it.'
  if (behaviour?.arrive !== undefined && node.incoming.length > 1)
    return `joins ${node.incoming.length} flows, and a token that is put there would come by none of them: name what comes before or after it.`
  return undefined
}

/** The scopes around something, from the inside out, without the process itself. */
function outerOf(run: EngineRun, scope: string): Token[] {
  const token = run.tokens.get(scope)
  return token === undefined ? [] : [token, ...outerOf(run, token.in)]
}

function waysTo(run: EngineRun, path: string, standing: Standing, to: FlowNode, report: Report): Way[] {
  const elements = elementsTo(run, to)
  const ways: Way[] = []
  const places = [...standing.tokens, ...standing.joining, ...standing.moves.filter((move) => 'in' in move)]
  for (const place of places) {
    const { in: inner } = place as { in: string }
    const scopes = outerOf(run, inner)
    const shared = scopes.findIndex(({ at }) => elements.includes(at))
    const left = shared === -1 ? scopes : scopes.slice(0, shared)
    const common = shared === -1 ? undefined : scopes[shared]
    const down = common === undefined ? elements : elements.slice(elements.indexOf(common.at) + 1)
    const scope = common?.id ?? ''
    const problem = whyNotLeft(left) ?? whyNotInto(run, down.slice(0, -1), scope)
    if (problem !== undefined) {
      report(path, `${to.id} ${problem}`)
      return []
    }
    ways.push({ in: scope, path: down, task: 'task' in place ? place.task : undefined })
  }
  return ways
}

/** The sub-processes around an element from the outside in, and the element itself. */
function elementsTo(run: EngineRun, node: FlowNode): string[] {
  const around = run.graph.nodes.get(node.parentId)
  return around === undefined ? [node.id] : [...elementsTo(run, around), node.id]
}

const whyNotLeft = (scopes: readonly Token[]): string | undefined => {
  const pass = scopes.find(({ loop }) => loop !== undefined)
  return pass && `is outside of one pass of ${pass.at}, whose other passes would go on: move ${pass.at} as a whole.`
}

function whyNotInto(run: EngineRun, elements: readonly string[], scope: string): string | undefined {
  let inside: string | undefined = scope
  for (const id of elements) {
    const node = nodeAt(run, id)
    if (node.loop !== undefined) return `is in ${id}, which runs several times: move to ${id} itself.`
    if (node.isEventSubProcess || node.isForCompensation) return `is in ${id}, which cannot be begun from outside.`
    if (node.adHoc !== undefined) return `is in ${id}, which chooses by itself what begins in it: move to ${id} itself.`
    const running: Token[] = inside === undefined ? [] : runningScopes(run, id, inside)
    if (running.length > 1)
      return `is in ${id}, which runs ${running.length} times now: which one is meant is not clear.`
    inside = running[0]?.id
  }
  return undefined
}

/** Ends what stands somewhere; answers the scopes that it was in. */
function removeStanding(run: EngineRun, { tokens, joining, moves }: Standing): string[] {
  for (const { id } of tokens) cancel(run, id)
  run.suspended = run.suspended.filter((one) => !joining.includes(one))
  run.moves = run.moves.filter((one) => !moves.includes(one))
  return [...tokens, ...joining, ...moves].flatMap((one) => ('in' in one ? one.in : []))
}

/** Cancels sub-processes in which nothing is left, so that they do not count as completed. */
function endEmptyScopes(run: EngineRun, scope: string, report: Report): void {
  const token = run.tokens.get(scope)
  if (token?.is !== 'scope' || (token.queue?.length ?? 0) > 0) return
  const isUsed =
    run.tokens.values().some((each) => each.in === scope && each.is !== 'alarm' && each.is !== 'part') ||
    run.suspended.some((one) => one.in === scope) ||
    run.moves.some((move) => 'in' in move && move.in === scope)
  if (isUsed) return
  if (token.loop !== undefined)
    return report('cancel', `Nothing would be left of one pass of ${token.at}: cancel ${token.at} as a whole.`)
  cancel(run, scope)
  endEmptyScopes(run, token.in, report)
}
