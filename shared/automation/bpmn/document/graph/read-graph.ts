import { own } from '../../../../kernel/collections/own-members.ts'
import { elements } from '../../elements/registry.ts'
import { typeOf } from '../../shapes/bpmn-element.ts'
import type { CompiledProcess } from '../../shapes/compiled-process.ts'
import type {
  CallDefinition,
  Described,
  DescribedActivity,
  EventTriggers,
  Flow,
  FlowNode,
  Graph,
  Loop,
  LoopEvent,
  Trigger,
  VariableMapping,
} from '../../shapes/graph.ts'
import { definitionOf } from './definition.ts'

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
  for (const activity of activities)
    nodes.set(
      activity.id,
      describeNode(activity, described, {
        mapping: own(compiled.mappings, activity.id),
        events: own(compiled.events, activity.id),
        loopEvents: own(compiled.loopEvents, activity.id),
        call: own(compiled.calls, activity.id),
      }),
    )
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

/** What was compiled of a node, which the engine's form of the document does not hold. */
interface Compiled {
  readonly mapping: VariableMapping | undefined
  readonly events: EventTriggers | undefined
  readonly loopEvents: readonly LoopEvent[] | undefined
  readonly call: CallDefinition | undefined
}

function describeNode(
  { id, type, name, parent, behaviour = {} }: DescribedActivity,
  described: ReadonlyMap<string, DescribedActivity>,
  { mapping, events, loopEvents, call }: Compiled,
): FlowNode {
  const triggers =
    events?.triggers ??
    ((behaviour.eventDefinitions ?? []) as readonly Described[]).flatMap(
      (definition) => readTrigger(definition, described) ?? [],
    )
  return {
    id,
    type: typeOf({ $type: type }),
    label: name === undefined || name === '' ? `'${id}'` : `'${name}' (${id})`,
    parentId: parent.id,
    incoming: [],
    outgoing: [],
    boundary: [],
    ...(triggers[0] !== undefined && { trigger: triggers[0] }),
    triggers,
    isParallel: events?.isParallel === true,
    ...(mapping !== undefined && { mapping }),
    ...(loopEvents !== undefined && { loopEvents }),
    ...elements.node(typeOf({ $type: type }))?.describe?.(behaviour),
    ...(call !== undefined && { call }),
    ...quantityOf(behaviour, 'startQuantity'),
    ...quantityOf(behaviour, 'completionQuantity'),
    loop: readLoop(behaviour.loopCharacteristics as Described | undefined),
    isInterrupting: behaviour.cancelActivity !== false && behaviour.isInterrupting !== false,
    isEventSubProcess: behaviour.triggeredByEvent === true,
    isForCompensation: behaviour.isForCompensation === true,
    isInstantiating: behaviour.instantiate === true,
  }
}

const quantityOf = (behaviour: Readonly<Record<string, unknown>>, name: 'startQuantity' | 'completionQuantity') =>
  Number(behaviour[name] ?? 1) > 1 ? { [name]: Number(behaviour[name]) } : {}

function attach(nodes: ReadonlyMap<string, FlowNode>, { id, behaviour }: DescribedActivity): void {
  const hostId = (behaviour?.attachedTo as { id: string } | undefined)?.id
  const node = nodes.get(id)
  const host = hostId === undefined ? undefined : nodes.get(hostId)
  if (node === undefined || host === undefined) return
  host.boundary.push(node)
  Object.assign(node, { attachedTo: host })
}

const readTrigger = (definition: Described, described: ReadonlyMap<string, DescribedActivity>): Trigger | undefined =>
  elements.triggerOf({ $type: definition.type })?.read(definition.behaviour ?? {}, described)

const readLoop = (loop: Described | undefined): Loop | undefined =>
  loop && elements.loopOf(typeOf({ $type: loop.type }))?.read(loop.behaviour ?? {})
