import { createHash } from 'node:crypto'
import { own } from '../../../kernel/collections/own-members.ts'
import { escapeHtml } from '../../../kernel/text/escape-html.ts'
import { activityGlyphs, eventGlyphs, gatewayGlyphs, type Mark, wrapText } from './glyphs.ts'
import { layOutDiagram } from './lay-out-diagram.ts'
import { type Box, boxBelow, type Line, type Picture, readPicture, type Shape } from './read-picture.ts'

/** Which colours a picture has. */
export type Theme = 'light' | 'dark'

const light = `svg{--paper:#fff;--ink:#1f2328;--line:#57606a;--done:#dafbe1;--done-line:#1a7f37;--active:#ddf4ff;--active-line:#0969da;--failed:#ffebe9;--failed-line:#cf222e}`
const dark = `svg{--paper:#0d1117;--ink:#e6edf3;--line:#8b949e;--done:#12261e;--done-line:#3fb950;--active:#121d2f;--active-line:#58a6ff;--failed:#2d1518;--failed-line:#f85149}`
const rules = `.paper{fill:var(--paper)}.shape{fill:var(--paper);stroke:var(--line);stroke-width:1.5}.glyph,.line{fill:none;stroke:var(--line);stroke-width:1.5}.arrow{fill:var(--line)}
.is-done .shape{fill:var(--done);stroke:var(--done-line)}.is-active .shape{fill:var(--active);stroke:var(--active-line);stroke-width:3}.is-failed .shape{fill:var(--failed);stroke:var(--failed-line);stroke-width:3}
.shape.thick{stroke-width:4}.dashed{stroke-dasharray:5 4}.is-done .badge{fill:var(--done-line)}.is-active .badge{fill:var(--active-line)}.is-failed .badge{fill:var(--failed-line)}
.badge-text{fill:var(--paper);font-size:11px;font-weight:700}text{fill:var(--ink);font:12px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;text-anchor:middle}.beside{font-size:11px;paint-order:stroke;stroke:var(--paper);stroke-width:3px;stroke-linejoin:round}`

/** Without a theme the picture has that of whoever looks at it. */
const styleOf = (theme: Theme | undefined): string =>
  theme === undefined
    ? `${light}\n@media (prefers-color-scheme:dark){${dark}}\n${rules}`
    : `${theme === 'dark' ? dark : light}\n${rules}`

/** Nothing of the picture runs or is loaded when a browser opens it; only its own style counts. */
const policyOf = (style: string): string =>
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; sandbox`

/**
 * Draws the diagram of a BPMN document as SVG, laid out when it has none, with elements marked. Every text of the document
 * is escaped. Throws Invalid for a process that is too large to be laid out. Loads moddle and the layout, so only what
 * asks for a picture imports it.
 */
export async function drawDiagram(
  xml: string,
  marks: ReadonlyMap<string, Mark>,
  title: string,
  theme?: Theme,
): Promise<{ readonly svg: string; readonly policy: string }> {
  const picture = await readPicture(await layOutDiagram(xml), marks)
  const style = styleOf(theme)
  return { svg: drawPicture(picture ?? nothing, title, style), policy: policyOf(style) }
}

const nothing: Picture = { x: 0, y: 0, width: 200, height: 60, shapes: [], lines: [] }

function drawPicture({ x, y, width, height, shapes, lines }: Picture, title: string, style: string): string {
  const largestFirst = shapes.toSorted((a, b) => b.width * b.height - a.width * a.height)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${x} ${y} ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title><style>${style}</style>`,
    '<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto"><path class="arrow" d="M0 1L9 5L0 9z"/></marker></defs>',
    `<rect class="paper" x="${x}" y="${y}" width="${width}" height="${height}"/>`,
    ...largestFirst.filter(({ isContainer }) => isContainer).map(drawShape),
    ...lines.map(drawLine),
    ...largestFirst.filter(({ isContainer }) => !isContainer).map(drawShape),
    '</svg>',
  ].join('\n')
}

/** Characters that XML has no way to hold are left out. */
const escaped = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- XML has no other control characters than tab and line ends
  escapeHtml(text.toWellFormed().replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ''))

function drawShape(shape: Shape): string {
  const { type, mark, name } = shape
  const drawn = type.endsWith('Event')
    ? drawEvent(shape)
    : type.endsWith('Gateway')
      ? drawGateway(shape)
      : drawActivity(shape)
  const said = mark
    ? `<title>${escaped(`${name || shape.id}: ${words[mark.is]}`.slice(0, maxNameCharacters))}</title>`
    : ''
  return `<g${mark ? ` class="is-${mark.is}"` : ''} data-element="${escaped(shape.id)}">${said}${drawn}${mark ? drawBadge(shape, mark) : ''}</g>`
}

const words = { failed: 'failed', active: 'waits here', done: 'done' } as const
/** Longer names are cut off. */
const maxNameCharacters = 300

/** Says without a colour what the mark is: how many tokens wait, that it failed, or that it is done. */
function drawBadge({ x, y, width }: Box, { is, tokens }: Mark): string {
  const [cx, cy] = [x + width - 2, y + 2]
  const text = is === 'failed' ? '!' : is === 'done' ? '✓' : tokens > 99 ? '99+' : String(Math.max(tokens, 1))
  return `<circle class="badge" cx="${cx}" cy="${cy}" r="9"/><text class="badge-text" x="${cx}" y="${cy + 4}">${text}</text>`
}

function drawActivity({ x, y, width, height, type, name, isContainer, isDashed }: Shape): string {
  const radius = ['participant', 'lane', 'textAnnotation', 'group'].includes(type) ? 0 : 8
  const classes = `shape${isDashed || type === 'group' ? ' dashed' : ''}${type === 'callActivity' ? ' thick' : ''}`
  const glyph = own(activityGlyphs, type)
  const isCollapsed = !isContainer && (type.endsWith('ubProcess') || type === 'transaction')
  return [
    `<rect class="${classes}" x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}"/>`,
    type === 'transaction'
      ? `<rect class="glyph" x="${x + 3}" y="${y + 3}" width="${Math.max(0, width - 6)}" height="${Math.max(0, height - 6)}" rx="6"/>`
      : '',
    glyph === undefined ? '' : `<path class="glyph" transform="translate(${x + 5} ${y + 5})" d="${glyph}"/>`,
    isCollapsed
      ? `<path class="glyph" transform="translate(${x + width / 2} ${y + height - 10})" d="M-7 -7H7V7H-7ZM0 -4V4M-4 0H4"/>`
      : '',
    drawText(name, isContainer ? { x, y: y + 4, width, height: 18 } : { x, y, width, height }),
  ].join('')
}

function drawEvent(shape: Shape): string {
  const { x, y, width, height, type, event, name, label, isDashed } = shape
  const [cx, cy, r] = [x + width / 2, y + height / 2, Math.min(width, height) / 2]
  const isBetween = type === 'boundaryEvent' || type.startsWith('intermediate')
  const glyph = event === undefined ? undefined : own(eventGlyphs, event)
  return [
    `<circle class="shape${type === 'endEvent' ? ' thick' : ''}${isDashed ? ' dashed' : ''}" cx="${cx}" cy="${cy}" r="${r}"/>`,
    isBetween
      ? `<circle class="glyph${isDashed ? ' dashed' : ''}" cx="${cx}" cy="${cy}" r="${Math.max(0, r - 3)}"/>`
      : '',
    glyph === undefined ? '' : `<path class="glyph" transform="translate(${cx} ${cy})" d="${glyph}"/>`,
    drawText(name, label ?? boxBelow(shape), true),
  ].join('')
}

function drawGateway(shape: Shape): string {
  const { x, y, width, height, type, name, label } = shape
  const [cx, cy] = [x + width / 2, y + height / 2]
  const glyph = own(gatewayGlyphs, type)
  return [
    `<path class="shape" d="M${cx} ${y}L${x + width} ${cy}L${cx} ${y + height}L${x} ${cy}Z"/>`,
    glyph === undefined ? '' : `<path class="glyph" transform="translate(${cx} ${cy})" d="${glyph}"/>`,
    drawText(name, label ?? boxBelow(shape), true),
  ].join('')
}

function drawLine({ points, name, label, isDashed }: Line): string {
  const middle = Math.max(1, Math.floor(points.length / 2))
  const [from, to] = [points[middle - 1], points[middle]]
  const beside =
    label ?? (from && to && { x: (from.x + to.x) / 2 - 45, y: (from.y + to.y) / 2 - 18, width: 90, height: 14 })
  const path = points.map(({ x, y }) => `${x},${y}`).join(' ')
  return `<polyline class="line${isDashed ? ' dashed' : ''}" points="${path}" marker-end="url(#arrow)"/>${beside ? drawText(name, beside, true) : ''}`
}

/** A text in the middle of a box, in as many lines as fit; beside a small shape it begins at the top. */
function drawText(text: string, { x, y, width, height }: Box, isBeside = false): string {
  const lineHeight = isBeside ? 13 : 14
  const lines = wrapText(text.slice(0, maxNameCharacters), {
    characters: Math.max(4, Math.floor((isBeside ? Math.max(width, 90) : width - 8) / (isBeside ? 5.8 : 6.3))),
    lines: isBeside ? 3 : Math.max(1, Math.floor((height - 4) / lineHeight)),
  })
  if (lines.length === 0) return ''
  const top = isBeside ? y + 11 : y + height / 2 - ((lines.length - 1) * lineHeight) / 2 + 4
  const cx = x + width / 2
  const spans = lines.map((line, index) => `<tspan x="${cx}" y="${top + index * lineHeight}">${escaped(line)}</tspan>`)
  return `<text${isBeside ? ' class="beside"' : ''}>${spans.join('')}</text>`
}
