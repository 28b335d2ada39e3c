import { own } from '../../../kernel/collections/own-members.ts'
import type { CompiledProcess } from '../shapes/compiled-process.ts'
import type { Flow, FlowNode, Graph, Trigger } from '../shapes/graph.ts'

const graphs = new WeakMap<CompiledProcess, Graph>()

/** The graph of a compiled process, cached for as long as that object is in memory. */
export function graphOf(compiled: CompiledProcess): Graph {
  const known = graphs.get(compiled)
  if (known !== undefined) return known
  const graph = linkGraph(compiled)
  graphs.set(compiled, graph)
  return graph
}

/** What an event of a compiled process waits for or throws. */
export const triggersOf = (compiled: CompiledProcess, elementId: string): readonly Trigger[] =>
  graphOf(compiled).nodes.get(elementId)?.triggers ?? []

/** Nodes and flows hold each other, and nodes what else was compiled of them. */
function linkGraph({ processId, graph, mappings, calls }: CompiledProcess): Graph {
  const nodes = new Map<string, FlowNode>()
  for (const { attachedTo: _, ...stored } of graph.nodes) {
    const [trigger] = stored.triggers
    const mapping = own(mappings, stored.id)
    const call = own(calls, stored.id)
    nodes.set(stored.id, {
      ...stored,
      incoming: [],
      outgoing: [],
      boundary: [],
      ...(trigger !== undefined && { trigger }),
      ...(mapping !== undefined && { mapping }),
      ...(call !== undefined && { call }),
    })
  }
  for (const { id, attachedTo } of graph.nodes) {
    const node = nodes.get(id)
    const host = attachedTo === undefined ? undefined : nodes.get(attachedTo)
    if (node === undefined || host === undefined) continue
    host.boundary.push(node)
    Object.assign(node, { attachedTo: host })
  }
  const flows = new Map<string, Flow>()
  for (const { id, condition, isDefault = false, ...ends } of graph.flows) {
    const [source, target] = [nodes.get(ends.source), nodes.get(ends.target)]
    if (source === undefined || target === undefined) continue
    const flow: Flow = { id, source, target, condition, isDefault }
    flows.set(id, flow)
    source.outgoing.push(flow)
    target.incoming.push(flow)
  }
  return { processId, nodes, flows }
}
