import { escapeHtml } from '../../../kernel/text/escape-html.ts'
import { type BpmnElement, isA } from '../shapes/bpmn-element.ts'

const cell = { width: 160, height: 120 }
/** Columns side by side, and elements in one: pictures end at 100,000 pixels. */
const [maxColumns, maxRows] = [60, 40]
const margin = 50

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/**
 * A plain diagram of a process that cannot be laid out otherwise: an element stands as many columns from the left as flows
 * lead to it at least, and flows are straight lines. What sub-processes contain is folded.
 */
export function gridDiagram(process: BpmnElement): string {
  const { flowElements = [] } = process
  const nodes = flowElements.filter((element) => isA(element, 'FlowNode') && !isA(element, 'BoundaryEvent'))
  const flows = flowElements.filter((element) => isA(element, 'SequenceFlow'))
  const boxes = placeNodes(columnsOf(nodes, flows))
  const attached = new Map<BpmnElement, number>()
  for (const event of flowElements.filter((element) => isA(element, 'BoundaryEvent'))) {
    const host = event.attachedToRef
    const box = host && boxes.get(host)
    if (!host || !box) continue
    const before = attached.get(host) ?? 0
    attached.set(host, before + 1)
    const size = sizeOf(event)
    boxes.set(event, { x: box.x + (before % 3) * size.width, y: box.y + box.height - size.height / 2, ...size })
  }
  const shapes = [...boxes].map(([{ id = '' }, { x, y, width, height }]) => {
    const name = escapeHtml(id)
    return `<bpmndi:BPMNShape id="${name}_di" bpmnElement="${name}"><dc:Bounds x="${x}" y="${y}" width="${width}" height="${height}" /></bpmndi:BPMNShape>`
  })
  const edges = flows.flatMap(({ id = '', sourceRef, targetRef }) => {
    const [from, to] = [sourceRef && boxes.get(sourceRef), targetRef && boxes.get(targetRef)]
    if (!from || !to) return []
    const name = escapeHtml(id)
    return `<bpmndi:BPMNEdge id="${name}_di" bpmnElement="${name}"><di:waypoint x="${from.x + from.width}" y="${from.y + from.height / 2}" /><di:waypoint x="${to.x}" y="${to.y + to.height / 2}" /></bpmndi:BPMNEdge>`
  })
  return `<bpmndi:BPMNDiagram id="diagram"><bpmndi:BPMNPlane id="plane" bpmnElement="${escapeHtml(process.id ?? '')}">${[...shapes, ...edges].join('')}</bpmndi:BPMNPlane></bpmndi:BPMNDiagram>`
}

/** Elements by how many flows lead to them at least; those that no flow leads to come first. */
function columnsOf(nodes: readonly BpmnElement[], flows: readonly BpmnElement[]): BpmnElement[][] {
  const open = new Set(nodes)
  const next = new Map<BpmnElement, BpmnElement[]>()
  for (const { sourceRef, targetRef } of flows) {
    // A flow that leaves a boundary event leaves its activity.
    const from = sourceRef?.attachedToRef ?? sourceRef
    if (!from || !targetRef) continue
    if (!next.has(from)) next.set(from, [])
    next.get(from)?.push(targetRef)
  }
  const reached = new Set([...next.values()].flat())
  const columns: BpmnElement[][] = []
  let column = nodes.filter((node) => !reached.has(node))
  while (open.size > 0) {
    // Elements in a circle that nothing leads to.
    if (column.length === 0) column = [...open].slice(0, 1)
    for (const node of column) open.delete(node)
    for (let from = 0; from < column.length; from += maxRows) columns.push(column.slice(from, from + maxRows))
    column = [...new Set(column.flatMap((node) => next.get(node) ?? []))].filter((node) => open.has(node))
  }
  return columns
}

function placeNodes(columns: readonly (readonly BpmnElement[])[]): Map<BpmnElement, Box> {
  const boxes = new Map<BpmnElement, Box>()
  let top = margin
  for (let first = 0; first < columns.length; first += maxColumns) {
    const band = columns.slice(first, first + maxColumns)
    for (const [at, column] of band.entries())
      for (const [row, node] of column.entries()) {
        const { width, height } = sizeOf(node)
        const [left, above] = [margin + at * cell.width, top + row * cell.height]
        boxes.set(node, { x: left + (cell.width - width) / 2, y: above + (cell.height - height) / 2, width, height })
      }
    top += Math.max(...band.map(({ length }) => length)) * cell.height
  }
  return boxes
}

const sizeOf = (element: BpmnElement): Pick<Box, 'width' | 'height'> =>
  isA(element, 'Event')
    ? { width: 36, height: 36 }
    : isA(element, 'Gateway')
      ? { width: 50, height: 50 }
      : { width: 100, height: 80 }
