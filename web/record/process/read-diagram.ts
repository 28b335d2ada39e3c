/** A BPMN document as a picture: shapes and lines with their places, as its diagram has them. */

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}
export interface Shape extends Box {
  readonly id: string
  /** `userTask`, `exclusiveGateway`, ... */
  readonly type: string
  readonly name: string
  /** `timer`, `message`, ... of an event. */
  readonly event: string | undefined
  readonly isExpanded: boolean
  /** Where its name stands, when it is beside it. */
  readonly label: Box | undefined
}
export interface Line {
  readonly id: string
  readonly name: string
  readonly points: readonly { readonly x: number; readonly y: number }[]
  readonly label: Box | undefined
  /** A message or an association. */
  readonly isDashed: boolean
}
export interface Diagram extends Box {
  readonly shapes: readonly Shape[]
  readonly lines: readonly Line[]
}

/** The document is read where nothing of it runs, and none of its text becomes markup. */
const { trustedTypes } = window as {
  readonly trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createHTML: (text: string) => string },
    ): { createHTML: (text: string) => string }
  }
}
const policy = trustedTypes?.createPolicy('read-diagram', { createHTML: (text) => text })

const margin = 16

/** Reads the first diagram of a document; undefined when it has none. */
export function readDiagram(xml: string): Diagram | undefined {
  const read = new DOMParser().parseFromString(policy?.createHTML(xml) ?? xml, 'application/xml')
  const all = (root: Document | Element, name: string): Element[] => [...root.getElementsByTagNameNS('*', name)]
  const plane = all(read, 'BPMNPlane')[0]
  if (!plane) return undefined
  const elements = new Map([...read.getElementsByTagName('*')].map((one) => [one.getAttribute('id') ?? '', one]))
  const boxOf = (element: Element | undefined): Box | undefined => {
    const bounds = element && [...element.children].find(({ localName: name }) => name === 'Bounds')
    if (!bounds) return undefined
    const number = (name: string): number => Number(bounds.getAttribute(name))
    return { x: number('x'), y: number('y'), width: number('width'), height: number('height') }
  }
  const labelOf = (shape: Element): Box | undefined => boxOf(all(shape, 'BPMNLabel')[0])
  const subjectOf = (shape: Element): Element | undefined =>
    elements.get((shape.getAttribute('bpmnElement') ?? '').replace(/^.*:/, ''))

  const shapes = all(plane, 'BPMNShape').flatMap((shape): Shape[] => {
    const [element, box] = [subjectOf(shape), boxOf(shape)]
    if (!element || !box) return []
    const definition = [...element.children].find(({ localName: name }) => name.endsWith('EventDefinition'))
    const { localName: type } = element
    return [
      {
        ...box,
        id: element.id,
        type,
        name: element.getAttribute('name') ?? (type === 'textAnnotation' ? element.textContent.trim() : ''),
        event: definition?.localName.replace('EventDefinition', ''),
        isExpanded: shape.getAttribute('isExpanded') === 'true',
        label: labelOf(shape),
      },
    ]
  })
  const lines = all(plane, 'BPMNEdge').flatMap((edge): Line[] => {
    const element = subjectOf(edge)
    const points = all(edge, 'waypoint').map((one) => ({
      x: Number(one.getAttribute('x')),
      y: Number(one.getAttribute('y')),
    }))
    if (!element || points.length < 2) return []
    const isDashed = element.localName !== 'sequenceFlow'
    return [{ id: element.id, name: element.getAttribute('name') ?? '', points, label: labelOf(edge), isDashed }]
  })
  if (shapes.length === 0) return undefined
  const boxes = [...shapes, ...[...shapes, ...lines].flatMap(({ label }) => label ?? [])]
  const points = lines.flatMap((line) => line.points)
  const [xs, ys] = [
    [...boxes.flatMap(({ x, width }) => [x, x + width]), ...points.map(({ x }) => x)],
    [...boxes.flatMap(({ y, height }) => [y, y + height + 20]), ...points.map(({ y }) => y)],
  ]
  const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b)) - margin
  const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b)) + margin
  const [x, y] = [least(xs), least(ys)]
  return { shapes, lines, x, y, width: most(xs) - x, height: most(ys) - y }
}
