import { own } from '../../../kernel/collections/own-members.ts'
import { readDocument } from '../document/read/read-document.ts'
import { type BpmnElement, isA, typeOf } from '../shapes/bpmn-element.ts'
import type { Mark } from './glyphs.ts'

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** An element that is drawn as a shape. */
export interface Shape extends Box {
  readonly id: string
  /** `userTask`, `exclusiveGateway`, ... */
  readonly type: string
  readonly name: string
  /** `timer`, `message`, ... of an event. */
  readonly event: string | undefined
  /** What it holds is drawn inside of it. */
  readonly isContainer: boolean
  /** A boundary event or the start of an event sub-process that does not interrupt. */
  readonly isDashed: boolean
  /** Where its name is, when it is beside it. */
  readonly label: Box | undefined
  readonly mark: Mark | undefined
}

export interface Line {
  readonly name: string
  readonly points: readonly { readonly x: number; readonly y: number }[]
  readonly label: Box | undefined
  /** A message or an association. */
  readonly isDashed: boolean
}

/** The first diagram of a document. */
export interface Picture extends Box {
  readonly shapes: readonly Shape[]
  readonly lines: readonly Line[]
}

/** As moddle reads a diagram. */
interface Drawn {
  readonly $type: string
  readonly bpmnElement?: BpmnElement
  readonly bounds?: Partial<Box>
  readonly isExpanded?: boolean
  readonly label?: { readonly bounds?: Partial<Box> }
  readonly waypoint?: readonly { readonly x?: number; readonly y?: number }[]
}

const margin = 20
/** A diagram may say anything; nothing is drawn outside of this. */
const maxCoordinate = 100_000

/** Reads the first diagram of a document; undefined when it has none. */
export async function readPicture(xml: string, marks: ReadonlyMap<string, Mark>): Promise<Picture | undefined> {
  const { moddle } = await readDocument(xml)
  const planes = ((moddle?.rootElement.diagrams ?? []) as { plane?: { planeElement?: Drawn[] } }[]).map(
    ({ plane }) => plane?.planeElement ?? [],
  )
  const drawn = planes.find((plane) => plane.length > 0)
  if (moddle === undefined || drawn === undefined) return undefined
  const ofShape = new Map<string, Drawn>()
  const ofLine = new Map<string, Drawn>()
  for (const one of drawn) {
    const id = one.bpmnElement?.id
    if (id === undefined) continue
    if (one.$type === 'bpmndi:BPMNShape' && boxOf(one.bounds) && !ofShape.has(id)) ofShape.set(id, one)
    else if (one.$type === 'bpmndi:BPMNEdge' && !ofLine.has(id)) ofLine.set(id, one)
  }
  hideFolded(ofShape, ofLine)
  const visible = visibleMarks(marks, moddle.elementsById, ofShape)
  const shapes = [...ofShape].flatMap(([id, one]): Shape[] => {
    const [element, box] = [one.bpmnElement, boxOf(one.bounds)]
    return element && box ? [{ ...box, ...aboutShape(element, one), id, mark: visible.get(id) }] : []
  })
  const lines = [...ofLine.values()].flatMap(({ bpmnElement: element, waypoint = [], label }): Line[] => {
    const points = waypoint.map(({ x, y }) => ({ x: Number(x), y: Number(y) }))
    if (!element || points.length < 2 || !points.every(({ x, y }) => isDrawable(x) && isDrawable(y))) return []
    return [{ name: element.name ?? '', points, label: boxOf(label?.bounds), isDashed: !isA(element, 'SequenceFlow') }]
  })
  return shapes.length === 0 ? undefined : framed(shapes, lines)
}

/** Takes out what a collapsed sub-process contains where it is drawn elsewhere: it belongs to a plane of its own, and would cover other elements. */
function hideFolded(ofShape: Map<string, Drawn>, ofLine: Map<string, Drawn>): void {
  const isElsewhere = (inner: Drawn, outer: Drawn): boolean => {
    const [box, around] = [boxOf(inner.bounds), boxOf(outer.bounds)]
    return (
      box !== undefined &&
      around !== undefined &&
      (box.x < around.x ||
        box.y < around.y ||
        box.x + box.width > around.x + around.width ||
        box.y + box.height > around.y + around.height)
    )
  }
  const scopeOf = ({ bpmnElement }: Drawn): Drawn | undefined => {
    let at = bpmnElement?.$parent
    while (at !== undefined && !(isA(at, 'SubProcess') && at.id !== undefined && ofShape.has(at.id))) at = at.$parent
    const scope = at?.id === undefined ? undefined : ofShape.get(at.id)
    return scope?.isExpanded === true ? undefined : scope
  }
  const folded = new Set<Drawn>()
  for (const shape of ofShape.values()) {
    const scope = scopeOf(shape)
    if (scope && isElsewhere(shape, scope)) folded.add(scope)
  }
  if (folded.size === 0) return
  const isHidden = (one: Drawn): boolean => {
    const scope = scopeOf(one)
    return scope !== undefined && (folded.has(scope) || isHidden(scope))
  }
  const hidden = [...ofShape, ...ofLine].filter(([, one]) => isHidden(one))
  for (const [id] of hidden) {
    ofShape.delete(id)
    ofLine.delete(id)
  }
}

function aboutShape(element: BpmnElement, { isExpanded, label }: Drawn): Omit<Shape, keyof Box | 'id' | 'mark'> {
  const definition = element.eventDefinitions?.[0]
  return {
    type: typeOf(element),
    name: element.name ?? (typeof element.text === 'string' ? element.text : ''),
    event: definition && typeOf(definition).replace('EventDefinition', ''),
    isContainer: isA(element, 'Participant', 'Lane', 'Group') || (isA(element, 'SubProcess') && isExpanded === true),
    isDashed: element.cancelActivity === false || element.isInterrupting === false || isA(element, 'TextAnnotation'),
    label: boxOf(label?.bounds),
  }
}

const isDrawable = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= maxCoordinate

function boxOf(bounds: Partial<Box> | undefined): Box | undefined {
  if (bounds === undefined) return undefined
  const { x, y, width, height } = bounds
  if (!isDrawable(x) || !isDrawable(y) || !isDrawable(width) || !isDrawable(height)) return undefined
  return width < 0 || height < 0 ? undefined : { x, y, width, height }
}

const rank = { failed: 2, active: 1, done: 0 } as const

/** What happens in a collapsed sub-process is marked at it. */
function visibleMarks(
  marks: ReadonlyMap<string, Mark>,
  elementsById: Readonly<Record<string, BpmnElement>>,
  drawn: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, Mark> {
  const visible = new Map([...marks].filter(([id]) => drawn.has(id)))
  for (const [id, mark] of marks) {
    if (drawn.has(id) || mark.is === 'done') continue
    let at = own(elementsById, id)?.$parent
    while (at !== undefined && !(at.id !== undefined && drawn.has(at.id))) at = at.$parent
    if (at?.id === undefined) continue
    const other = visible.get(at.id)
    const is = other && rank[other.is] > rank[mark.is] ? other.is : mark.is
    // The sub-process has no token of its own that anything waits for.
    visible.set(at.id, { is, tokens: (other?.tokens ?? 0) + mark.tokens })
  }
  return visible
}

/** Where the name of a small shape is, when the diagram does not say. */
export const boxBelow = ({ x, y, width, height }: Box): Box => ({
  x: x + width / 2 - 50,
  y: y + height + 2,
  width: 100,
  height: 28,
})

const isSmall = ({ type }: Shape): boolean => type.endsWith('Event') || type.endsWith('Gateway')

function framed(shapes: readonly Shape[], lines: readonly Line[]): Picture {
  const boxes = [
    ...shapes,
    ...[...shapes, ...lines].flatMap(({ label }) => label ?? []),
    ...shapes.filter((shape) => isSmall(shape) && shape.name !== '' && !shape.label).map(boxBelow),
  ]
  const points = [
    ...boxes.flatMap(({ x, y, width, height }) => [
      { x, y },
      // Names below events and gateways have two lines.
      { x: x + width, y: y + height + 30 },
    ]),
    ...lines.flatMap((line) => line.points),
  ]
  const first = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
  const { left, top, right, bottom } = points.reduce(
    (found, { x, y }) => ({
      left: Math.min(found.left, x),
      top: Math.min(found.top, y),
      right: Math.max(found.right, x),
      bottom: Math.max(found.bottom, y),
    }),
    first,
  )
  const [x, y] = [Math.floor(left) - margin, Math.floor(top) - margin]
  return { shapes, lines, x, y, width: Math.ceil(right) + margin - x, height: Math.ceil(bottom) + margin - y }
}
