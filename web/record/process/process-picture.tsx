import { useEffect, useMemo, useRef } from 'react'
import { type Box, type Line, readDiagram, type Shape } from './read-diagram.ts'

/** What happened at an element: it waits there now, it failed there, or it was there. */
export type Mark = 'active' | 'failed' | 'done'

interface ProcessPictureProps {
  readonly xml: string
  readonly marks: ReadonlyMap<string, Mark>
  readonly label: string
}

/** The diagram of a process with the elements marked at which it is; it scrolls to the first of them. */
export function ProcessPicture({ xml, marks, label }: ProcessPictureProps) {
  const diagram = useMemo(() => readDiagram(xml), [xml])
  const scroller = useRef<HTMLDivElement>(null)
  const first = diagram?.shapes.find(({ id }) => marks.get(id) === 'active' || marks.get(id) === 'failed')
  useEffect(() => {
    const area = scroller.current
    if (!area || !diagram || !first) return
    const scale = area.scrollWidth / diagram.width
    area.scrollTo({
      left: (first.x - diagram.x + first.width / 2) * scale - area.clientWidth / 2,
      top: (first.y - diagram.y + first.height / 2) * scale - area.clientHeight / 2,
    })
  }, [diagram, first?.id])
  if (!diagram) return null
  const { x, y, width, height, shapes, lines } = diagram
  return (
    // What scrolls is reached by keys too.
    <div ref={scroller} className="process-picture" tabIndex={0} role="group" aria-label={label}>
      <svg
        viewBox={`${x} ${y} ${width} ${height}`}
        style={{ inlineSize: width, minInlineSize: width * 0.75 }}
        aria-hidden
      >
        <defs>
          <marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto">
            <path d="M0 1 L9 5 L0 9 z" className="process-arrow" />
          </marker>
        </defs>
        {shapes
          .toSorted((a, b) => b.width * b.height - a.width * a.height)
          .map((shape) => (
            <DrawnShape key={shape.id} shape={shape} mark={marks.get(shape.id)} />
          ))}
        {lines.map((line) => (
          <DrawnLine key={line.id} line={line} />
        ))}
      </svg>
    </div>
  )
}

function DrawnShape({ shape, mark }: { readonly shape: Shape; readonly mark: Mark | undefined }) {
  const { type } = shape
  const className = `process-shape${mark ? ` is-${mark}` : ''}`
  if (type.endsWith('Event')) return <DrawnEvent shape={shape} className={className} />
  if (type.endsWith('Gateway')) return <DrawnGateway shape={shape} className={className} />
  const { x, y, width, height, name, isExpanded } = shape
  const isContainer = isExpanded || type === 'participant' || type === 'lane'
  return (
    <g className={className}>
      <rect
        x={x}
        y={y}
        width={width}
        height={height}
        rx={type === 'participant' || type === 'lane' ? 0 : 8}
        strokeWidth={type === 'callActivity' ? 3 : undefined}
        strokeDasharray={type === 'textAnnotation' ? '3 3' : undefined}
      />
      {type === 'userTask' && (
        <path
          transform={`translate(${x + 6} ${y + 6})`}
          className="process-glyph"
          d="M6 6 m-3 0 a3 3 0 1 0 6 0 a3 3 0 1 0 -6 0 M1 14 c0 -6 10 -6 10 0"
        />
      )}
      <Words text={name} box={isContainer ? { x, y: y + 4, width, height: 20 } : shape} />
    </g>
  )
}

function DrawnEvent({ shape, className }: { readonly shape: Shape; readonly className: string }) {
  const { x, y, width, height, type, event, name, label } = shape
  const [cx, cy, r] = [x + width / 2, y + height / 2, width / 2]
  const isBetween = type === 'boundaryEvent' || type.startsWith('intermediate')
  return (
    <g className={className}>
      <circle cx={cx} cy={cy} r={r} strokeWidth={type === 'endEvent' ? 4 : undefined} />
      {isBetween && <circle cx={cx} cy={cy} r={r - 3} />}
      {event && <path transform={`translate(${cx} ${cy})`} className="process-glyph" d={glyphs[event] ?? ''} />}
      <Words text={name} box={label ?? { x: cx - 50, y: y + height + 2, width: 100, height: 16 }} isBeside />
    </g>
  )
}

/** Drawn around the middle of an event. */
const glyphs: Readonly<Record<string, string>> = {
  timer: 'M-8 0 a8 8 0 1 0 16 0 a8 8 0 1 0 -16 0 M0 -5 V0 L4 2',
  message: 'M-8 -5 H8 V5 H-8 Z L0 1 L8 -5',
  signal: 'M0 -7 L7 5 H-7 Z',
  error: 'M-6 6 L-2 -6 L2 2 L6 -6',
  escalation: 'M-6 7 L0 -7 L6 7 L0 1 Z',
  conditional: 'M-6 -7 H6 V7 H-6 Z M-3 -3 H3 M-3 0 H3 M-3 3 H3',
  compensate: 'M0 -6 V6 L-7 0 Z M7 -6 V6 L0 0 Z',
  terminate: 'M-5 0 a5 5 0 1 0 10 0 a5 5 0 1 0 -10 0',
}

/** The mark in the middle of a gateway. */
const gateways: Readonly<Record<string, string>> = {
  exclusiveGateway: 'M-6 -6 L6 6 M6 -6 L-6 6',
  parallelGateway: 'M0 -9 V9 M-9 0 H9',
  inclusiveGateway: 'M-8 0 a8 8 0 1 0 16 0 a8 8 0 1 0 -16 0',
  eventBasedGateway: 'M-9 0 a9 9 0 1 0 18 0 a9 9 0 1 0 -18 0 M0 -5 L5 -1 L3 5 H-3 L-5 -1 Z',
  complexGateway: 'M0 -9 V9 M-9 0 H9 M-6 -6 L6 6 M6 -6 L-6 6',
}

function DrawnGateway({ shape, className }: { readonly shape: Shape; readonly className: string }) {
  const { x, y, width, height, type, name, label } = shape
  const [cx, cy] = [x + width / 2, y + height / 2]
  return (
    <g className={className}>
      <path d={`M${cx} ${y} L${x + width} ${cy} L${cx} ${y + height} L${x} ${cy} Z`} />
      <path transform={`translate(${cx} ${cy})`} className="process-glyph" d={gateways[type] ?? ''} />
      <Words text={name} box={label ?? { x: cx - 50, y: y + height + 2, width: 100, height: 16 }} isBeside />
    </g>
  )
}

function DrawnLine({ line: { points, name, label, isDashed } }: { readonly line: Line }) {
  const [from, to] = [points[0], points[1]]
  const beside =
    label ?? (from && to && { x: (from.x + to.x) / 2 - 40, y: (from.y + to.y) / 2 - 18, width: 80, height: 16 })
  return (
    <g>
      <polyline
        className="process-line"
        points={points.map(({ x, y }) => `${x},${y}`).join(' ')}
        strokeDasharray={isDashed ? '5 4' : undefined}
        markerEnd="url(#arrow)"
      />
      {beside && <Words text={name} box={beside} isBeside />}
    </g>
  )
}

/** Words that wrap within their place, or beside a small shape in as much room as they need. */
function Words({ text, box, isBeside }: { readonly text: string; readonly box: Box; readonly isBeside?: true }) {
  if (text === '') return null
  const width = isBeside ? Math.max(box.width, 90) : box.width
  return (
    <foreignObject x={box.x - (width - box.width) / 2} y={box.y} width={width} height={isBeside ? 48 : box.height}>
      <div className={isBeside ? 'process-words is-beside' : 'process-words'}>{text}</div>
    </foreignObject>
  )
}
