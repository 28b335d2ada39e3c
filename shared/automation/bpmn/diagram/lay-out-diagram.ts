import { Invalid } from '../../../kernel/failures/faults.ts'
import { maxLaidOutElements, maxLaidOutFlows } from '../../../kernel/limits/processes.ts'
import { chooseProcess } from '../document/read/choose-process.ts'
import { identifyElements } from '../document/read/identify-elements.ts'
import { readDocument } from '../document/read/read-document.ts'
import { type BpmnElement, isA, typeOf } from '../shapes/bpmn-element.ts'
import { collectFindings } from '../shapes/findings.ts'
import { gridDiagram } from './grid-diagram.ts'
import { layOutInThread } from './layout-thread.ts'

const namespaces = {
  bpmndi: 'http://www.omg.org/spec/BPMN/20100524/DI',
  dc: 'http://www.omg.org/spec/DD/20100524/DC',
  di: 'http://www.omg.org/spec/DD/20100524/DI',
}

/**
 * Adds a diagram (BPMNDI) to a saved document that has none, so that modelers can open it; everything else stays as its
 * author wrote it. Sub-processes are collapsed. A process of very many flows, or one that the layout cannot place, stands in a
 * plain grid. Throws Invalid for a process of more than 2,000 elements. Loads moddle, so only what asks for a diagram imports it.
 */
export async function layOutDiagram(xml: string): Promise<string> {
  const { moddle } = await readDocument(xml)
  if (moddle === undefined || hasDiagram(moddle.rootElement)) return xml
  const process = chooseProcess(moddle.rootElement, collectFindings())
  const end = /<\/(?:[\w.-]+:)?definitions\s*>(?:\s|<!--[\s\S]*?-->)*$/.exec(xml)?.index
  if (process === undefined || end === undefined) return xml
  if (count(process, 'FlowNode') > maxLaidOutElements)
    throw new Invalid({
      layout: [
        `A process of more than ${maxLaidOutElements} elements is not laid out here: draw its diagram in a modeler and save it.`,
      ],
    })
  identifyElements(moddle, process)
  const laidOut = count(process, 'SequenceFlow') > maxLaidOutFlows ? undefined : await layOutInThread(outline(process))
  const diagrams = laidOut?.match(/<bpmndi:BPMNDiagram[\s\S]*<\/bpmndi:BPMNDiagram>/)?.[0] ?? gridDiagram(process)
  const used = new Set([...xml.matchAll(/\bid\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(([, one, other]) => one ?? other))
  return `${xml.slice(0, end)}${declared(withOwnIds(ofElementsIn(diagrams, used), used))}\n${xml.slice(end)}`
}

/** How many elements of a type a process has, with those of its sub-processes. */
const count = ({ flowElements = [] }: BpmnElement, type: string): number =>
  flowElements.reduce((sum, element) => sum + (isA(element, type) ? 1 : 0) + count(element, type), 0)

const hasDiagram = ({ diagrams }: BpmnElement): boolean =>
  ((diagrams ?? []) as readonly { plane?: { planeElement?: readonly unknown[] } }[]).some(
    ({ plane }) => (plane?.planeElement?.length ?? 0) > 0,
  )

/** What the layout looks at: elements with their incoming and outgoing flows, which documents may leave out. */
const outline = (process: BpmnElement): string =>
  `<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="urn:layout"><bpmn:process id="${process.id ?? ''}">${contents(process)}</bpmn:process></bpmn:definitions>`

function contents({ flowElements = [] }: BpmnElement): string {
  const flows = flowElements.filter((element) => isA(element, 'SequenceFlow'))
  const [incoming, outgoing] = [Map.groupBy(flows, endsAt), Map.groupBy(flows, beginsAt)]
  const ends = (tag: string, own: readonly BpmnElement[] = []) =>
    own.map(({ id }) => `<bpmn:${tag}>${id}</bpmn:${tag}>`).join('')
  const node = (element: BpmnElement): string => {
    const { id, attachedToRef, triggeredByEvent } = element
    const attached = attachedToRef?.id === undefined ? '' : ` attachedToRef="${attachedToRef.id}"`
    const triggered = triggeredByEvent === true ? ' triggeredByEvent="true"' : ''
    const type = typeOf(element)
    const joined = `${ends('incoming', incoming.get(element))}${ends('outgoing', outgoing.get(element))}`
    return `<bpmn:${type} id="${id}"${attached}${triggered}>${joined}${contents(element)}</bpmn:${type}>`
  }
  const nodes = flowElements.filter((element) => isA(element, 'FlowNode')).map(node)
  const edges = flows.map(
    ({ id, sourceRef, targetRef }) =>
      `<bpmn:sequenceFlow id="${id}" sourceRef="${sourceRef?.id}" targetRef="${targetRef?.id}" />`,
  )
  return [...nodes, ...edges].join('')
}

const endsAt = ({ targetRef }: BpmnElement) => targetRef
const beginsAt = ({ sourceRef }: BpmnElement) => sourceRef

/** Shapes and edges of elements that have an id in the document: a diagram refers to its elements by id. */
const ofElementsIn = (diagrams: string, used: ReadonlySet<string | undefined>): string =>
  diagrams.replaceAll(
    /\s*<bpmndi:(BPMNShape|BPMNEdge) [^>]*bpmnElement="([^"]*)"[\s\S]*?<\/bpmndi:\1>/g,
    (drawn, _, id: string) => (used.has(id) ? drawn : ''),
  )

/** Ids of the diagram that the document has not used. */
const withOwnIds = (diagrams: string, used: ReadonlySet<string | undefined>): string =>
  diagrams.replaceAll(/ id="([^"]+)"/g, (_, id: string) => {
    let own = id
    while (used.has(own)) own = `${own}_`
    return ` id="${own}"`
  })

const declared = (diagrams: string): string =>
  diagrams.replaceAll(
    '<bpmndi:BPMNDiagram ',
    `<bpmndi:BPMNDiagram ${Object.entries(namespaces)
      .map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`)
      .join(' ')} `,
  )
