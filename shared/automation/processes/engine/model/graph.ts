import type { CompiledProcess } from '../../definition/compiled-process.ts'
import { definitionOf } from './definition.ts'

export interface Flow {
  readonly id: string
  readonly source: FlowNode
  readonly target: FlowNode
  readonly condition?: string
  readonly isDefault: boolean
}

export type TimerKind = 'timeDuration' | 'timeDate' | 'timeCycle'

/** What an event catches or throws. */
export type Trigger =
  | { readonly on: 'timer'; readonly kind: TimerKind; readonly value: string }
  /** `code` undefined: any error. */
  | { readonly on: 'error'; readonly code?: string }
  | { readonly on: 'link'; readonly name: string }
  | { readonly on: 'message' }
  | { readonly on: 'terminate' }

export type Loop =
  | {
      readonly kind: 'multi'
      readonly isSequential: boolean
      readonly cardinality?: string
      readonly collection?: string
      readonly itemVariable?: string
      readonly until?: string
    }
  | {
      readonly kind: 'standard'
      readonly isTestedBefore: boolean
      readonly maximum?: number
      readonly condition?: string
    }

/** An activity, a gateway or an event of the diagram. */
export interface FlowNode {
  readonly id: string
  /** `userTask`, `exclusiveGateway`, ... */
  readonly type: string
  /** Its name in messages. */
  readonly label: string
  /** The process or sub-process it belongs to. */
  readonly parentId: string
  readonly incoming: Flow[]
  readonly outgoing: Flow[]
  readonly trigger?: Trigger
  readonly loop?: Loop
  /** Its boundary events. */
  readonly boundary: FlowNode[]
  readonly attachedTo?: FlowNode
  /** Of a boundary event, or of the start of an event sub-process. */
  readonly isInterrupting: boolean
  readonly isEventSubProcess: boolean
}

/** The nodes and flows of a process by id. */
export interface Graph {
  readonly processId: string
  readonly nodes: ReadonlyMap<string, FlowNode>
  readonly flows: ReadonlyMap<string, Flow>
}

interface Described {
  readonly type: string
  readonly behaviour?: Readonly<Record<string, unknown>>
}
interface DescribedActivity extends Described {
  readonly id: string
  readonly name?: string
  readonly parent: { readonly id: string }
}

interface DescribedFlow extends Described {
  readonly id: string
  readonly sourceId: string
  readonly targetId: string
  readonly isDefault?: boolean
}

const graphs = new WeakMap<CompiledProcess, Graph>()

/** The graph of a compiled process, cached for as long as that object is in memory. */
export function graphOf(compiled: CompiledProcess): Graph {
  const known = graphs.get(compiled)
  if (known !== undefined) return known
  const graph = readGraph(compiled)
  graphs.set(compiled, graph)
  return graph
}

function readGraph(compiled: CompiledProcess): Graph {
  const definition = definitionOf(compiled)
  const activities = definition.getActivities() as unknown as readonly DescribedActivity[]
  const described = new Map(activities.map((activity) => [activity.id, activity]))
  const nodes = new Map<string, FlowNode>()
  for (const activity of activities) nodes.set(activity.id, describeNode(activity, described))
  for (const activity of activities) attach(nodes, activity)
  const flows = new Map<string, Flow>()
  for (const {
    id,
    sourceId,
    targetId,
    isDefault,
    behaviour,
  } of definition.getSequenceFlows() as unknown as readonly DescribedFlow[]) {
    const source = nodes.get(sourceId)
    const target = nodes.get(targetId)
    if (source === undefined || target === undefined) continue
    const condition = (behaviour?.conditionExpression as { body?: string } | undefined)?.body
    const flow: Flow = { id, source, target, condition, isDefault: isDefault === true }
    flows.set(id, flow)
    source.outgoing.push(flow)
    target.incoming.push(flow)
  }
  return { processId: compiled.processId, nodes, flows }
}

const lowerCamel = (type: string): string => {
  const name = type.slice(type.indexOf(':') + 1)
  return name.charAt(0).toLowerCase() + name.slice(1)
}

function describeNode(
  { id, type, name, parent, behaviour = {} }: DescribedActivity,
  described: ReadonlyMap<string, DescribedActivity>,
): FlowNode {
  return {
    id,
    type: lowerCamel(type),
    label: name === undefined || name === '' ? `'${id}'` : `'${name}' (${id})`,
    parentId: parent.id,
    incoming: [],
    outgoing: [],
    boundary: [],
    trigger: readTrigger((behaviour.eventDefinitions as readonly Described[] | undefined)?.[0], described),
    loop: readLoop(behaviour.loopCharacteristics as Described | undefined),
    isInterrupting: behaviour.cancelActivity !== false && behaviour.isInterrupting !== false,
    isEventSubProcess: behaviour.triggeredByEvent === true,
  }
}

function attach(nodes: ReadonlyMap<string, FlowNode>, { id, behaviour }: DescribedActivity): void {
  const hostId = (behaviour?.attachedTo as { id: string } | undefined)?.id
  const node = nodes.get(id)
  const host = hostId === undefined ? undefined : nodes.get(hostId)
  if (node === undefined || host === undefined) return
  host.boundary.push(node)
  Object.assign(node, { attachedTo: host })
}

function readTrigger(
  definition: Described | undefined,
  described: ReadonlyMap<string, DescribedActivity>,
): Trigger | undefined {
  const behaviour = definition?.behaviour ?? {}
  switch (definition?.type) {
    case 'bpmn:TimerEventDefinition': {
      const kind = (['timeDuration', 'timeDate', 'timeCycle'] as const).find((each) => behaviour[each] !== undefined)
      return kind === undefined ? undefined : { on: 'timer', kind, value: String(behaviour[kind]) }
    }
    case 'bpmn:ErrorEventDefinition': {
      const ref = (behaviour.errorRef as { id: string } | undefined)?.id
      const error = ref === undefined ? undefined : described.get(ref)?.behaviour
      // Where an error has no code, thrower and catcher both use its name, or else its id.
      return { on: 'error', code: (error?.errorCode ?? error?.name ?? ref) as string | undefined }
    }
    case 'bpmn:LinkEventDefinition':
      return { on: 'link', name: String(behaviour.name) }
    case 'bpmn:MessageEventDefinition':
      return { on: 'message' }
    case 'bpmn:TerminateEventDefinition':
      return { on: 'terminate' }
    default:
      return undefined
  }
}

function readLoop(characteristics: Described | undefined): Loop | undefined {
  if (characteristics === undefined) return undefined
  const {
    isSequential,
    loopCardinality,
    collection,
    elementVariable,
    completionCondition,
    testBefore,
    loopMaximum,
    loopCondition,
  } = characteristics.behaviour ?? {}
  if (characteristics.type === 'bpmn:StandardLoopCharacteristics') {
    return {
      kind: 'standard',
      isTestedBefore: testBefore === true,
      maximum: loopMaximum as number | undefined,
      condition: loopCondition as string | undefined,
    }
  }
  return {
    kind: 'multi',
    isSequential: isSequential === true,
    cardinality: loopCardinality as string | undefined,
    collection: collection as string | undefined,
    itemVariable: elementVariable as string | undefined,
    until: completionCondition as string | undefined,
  }
}

/** Where a process or sub-process starts: at its start events, or else at the nodes without incoming flows. */
export function startsOf(graph: Graph, parentId: string): FlowNode[] {
  const inside = [...graph.nodes.values()].filter((node) => node.parentId === parentId)
  const startEvents = inside.filter((node) => node.type === 'startEvent')
  if (startEvents.length > 0) return startEvents
  return inside.filter(
    (node) =>
      node.incoming.length === 0 &&
      node.attachedTo === undefined &&
      !node.isEventSubProcess &&
      node.trigger?.on !== 'link' &&
      isFlowNode(node),
  )
}

const isFlowNode = ({ type }: FlowNode): boolean => /task|gateway|event|process|activity/i.test(type)

/** The event sub-processes of a process or sub-process, each with its start event. */
export function eventSubProcessesOf(
  graph: Graph,
  parentId: string,
): { readonly body: FlowNode; readonly start: FlowNode }[] {
  return [...graph.nodes.values()]
    .filter((node) => node.parentId === parentId && node.isEventSubProcess)
    .flatMap((body) => startsOf(graph, body.id).map((start) => ({ body, start })))
}
