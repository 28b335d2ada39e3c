import type { FlowNode, Flow, Graph } from './model/graph.ts'
import type { ActivityEvent, EngineHost, LoopPosition } from './schema.ts'

/** Where something of a process stands: all that is kept between two steps. `id`: its executionId; `at`: its element. */
export type TokenAt = Place &
  (
    | { readonly is: 'task' }
    | { readonly is: 'work'; readonly failed?: { readonly message: string; readonly code?: string } }
    /** A sub-process; what runs in it has its id as `in`. */
    | { readonly is: 'scope' }
    /** An activity that runs several times; each turn has its id as `loop`. */
    | {
        readonly is: 'loop'
        readonly total?: number
        readonly begun: number
        readonly done: number
        readonly items?: readonly unknown[]
      }
    /** An event-based gateway; the events it waits for have its id as `gate`. */
    | { readonly is: 'gate' }
    /** A catch event. */
    | ({ readonly is: 'timer' } & Timing)
    /** A timer on the border of `host`. */
    | ({ readonly is: 'watch'; readonly host: string } & Timing)
    /** A timer that would start an event sub-process: keeps nothing alive. */
    | ({ readonly is: 'alarm' } & Timing)
  )

export interface Place {
  readonly id: string
  readonly at: string
  /** The sub-process it stands in, '' for the process itself. */
  readonly in: string
  readonly loop?: string
  readonly index?: number
  readonly gate?: string
}

/** `left`: how often it fires after this time, -1 without end; `every`: the ISO duration between. */
export interface Timing {
  readonly due: string
  readonly left?: number
  readonly every?: string
}

/** A token that waits at a join for others. */
export interface Suspended {
  readonly flow: string
  readonly in: string
}

/** What is still to be done before everything waits. */
export type Move =
  | { readonly do: 'arrive'; readonly flow: Flow; readonly in: string }
  | { readonly do: 'enter'; readonly node: FlowNode; readonly in: string; readonly gate?: string }
  | { readonly do: 'turn'; readonly id: string; readonly index: number }
  | { readonly do: 'finish'; readonly id: string }
  | { readonly do: 'raise'; readonly error: Raised; readonly in: string; readonly id?: string }

export interface Raised {
  readonly code: string
  readonly message: string
  readonly elementId: string
}

/** A process while it moves. */
export interface Run {
  readonly graph: Graph
  readonly host: EngineHost
  readonly standing: Map<string, TokenAt>
  parked: Suspended[]
  moves: Move[]
  variables: Record<string, unknown>
  /** How often each element was reached, over all steps: what its executionIds count. */
  readonly reached: Record<string, number>
  readonly events: ActivityEvent[]
  /** How often since everything last waited. */
  readonly inStep: Map<string, number>
}

/** The engine cannot go on; the step is void. */
export class StepFailure extends Error {
  readonly elementId: string | undefined

  constructor(elementId: string | undefined, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StepFailure'
    this.elementId = elementId
  }
}

/** The element something stands at; it is there unless state and process do not belong together. */
export function nodeAt(run: Run, elementId: string): FlowNode {
  const node = run.graph.nodes.get(elementId)
  if (node === undefined) throw new StepFailure(elementId, `There is no element '${elementId}' in this process.`)
  return node
}

/** Ids count up within an element, so a step done again from the same state names everything the same. */
export function nextId(run: Run, node: FlowNode): string {
  const count = (run.reached[node.id] ?? 0) + 1
  run.reached[node.id] = count
  return `${node.id}#${count}`
}

const mostActivationsOfStep = 1_000

/** Counts an activation; more of them in one step than any sane process makes is a loop in which nothing waits. */
export function countActivation(run: Run, node: FlowNode): void {
  run.inStep.set(node.id, (run.inStep.get(node.id) ?? 0) + 1)
  const total = run.inStep.values().reduce((sum, count) => sum + count, 0)
  if (total <= mostActivationsOfStep) return
  const [elementId, count] = [...run.inStep].reduce((most, each) => (each[1] > most[1] ? each : most))
  throw new StepFailure(
    elementId,
    `${nodeAt(run, elementId).label} was reached ${count} times without the process waiting for anything: it loops without end.`,
  )
}

/** Notes what happened to an activation. */
export function record(run: Run, elementId: string, executionId: string, what: ActivityEvent['what']): void {
  run.events.push({
    elementId,
    type: nodeAt(run, elementId).type,
    executionId,
    what,
    at: new Date(run.host.now()).toISOString(),
  })
}

/** The turn that something belongs to: its own, or that of a sub-process around it. */
export function turnOf(run: Run, standing: TokenAt | undefined): LoopPosition | undefined {
  const turn = turnAround(run, standing)
  if (turn === undefined) return undefined
  const { index, body } = turn
  return {
    index,
    ...(body.total !== undefined && { total: body.total }),
    ...(body.items !== undefined && { item: body.items[index] }),
  }
}

function turnAround(
  run: Run,
  standing: TokenAt | undefined,
): { index: number; body: TokenAt & { is: 'loop' } } | undefined {
  for (let each = standing; each !== undefined; each = run.standing.get(each.in)) {
    const body = each.loop === undefined ? undefined : run.standing.get(each.loop)
    if (body?.is === 'loop' && each.index !== undefined) return { index: each.index, body }
  }
  return undefined
}

/** The variables as something sees them: with the items of the turns it belongs to. */
export function variablesOf(run: Run, standing: TokenAt | undefined): Readonly<Record<string, unknown>> {
  const items: Record<string, unknown> = {}
  for (let each = standing; each !== undefined; each = run.standing.get(each.in)) {
    const body = each.loop === undefined ? undefined : run.standing.get(each.loop)
    const loop = body === undefined ? undefined : nodeAt(run, body.at).loop
    if (body?.is !== 'loop' || loop?.kind !== 'multi' || loop.itemVariable === undefined || body.items === undefined)
      continue
    if (!Object.hasOwn(items, loop.itemVariable)) items[loop.itemVariable] = body.items[each.index ?? 0]
  }
  return Object.keys(items).length === 0 ? run.variables : { ...run.variables, ...items }
}

/** The value of an expression of an element. `around`: what it belongs to, for variables and turn. */
export async function evaluate(
  run: Run,
  node: FlowNode,
  expression: string,
  what: string,
  around: TokenAt | undefined,
  own: { readonly executionId?: string; readonly variables?: Readonly<Record<string, unknown>> } = {},
): Promise<unknown> {
  const loop = turnOf(run, around)
  try {
    return await run.host.evaluate(expression, {
      elementId: node.id,
      ...(own.executionId !== undefined && { executionId: own.executionId }),
      variables:
        own.variables === undefined ? variablesOf(run, around) : { ...variablesOf(run, around), ...own.variables },
      ...(loop !== undefined && { loop }),
    })
  } catch (cause) {
    throw new StepFailure(
      node.id,
      `The ${what} of ${node.label} fails: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    )
  }
}
