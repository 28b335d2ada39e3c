import { nodeElements } from '../../elements/registry.ts'
import { type BpmnElement, describe, type ModdleWarning, sentence, visibleId } from '../../shapes/bpmn-element.ts'
import type { Finding } from '../../shapes/compiled-process.ts'
import type { FindingCode } from '../../shapes/finding-codes.ts'
import { freeAttribute } from './extensions.ts'
import { wfAttributes, wfDescriptor } from './wf-descriptor.ts'

/** Explains a warning of moddle to the author of the document. Empty when the warning does not matter here. */
export function explainWarning(xml: string, { message, element, property }: ModdleWarning): Finding[] {
  if (property !== undefined) return element === undefined ? [] : explainAttribute(element, property)
  const [, lines, columns, detail] = /line: (\d+)\s+column: (\d+)\s+nested error: ([\s\S]*)$/.exec(message) ?? []
  // Only the warning about an encoding other than UTF-8 has no position, and our input is decoded already.
  if (detail === undefined) return []
  const tag = tagAt(xml, Number(lines), Number(columns))
  // Diagrams are not read, so anything that is XML may be in them.
  if (isOfDiagram(xml, tag) && /^(?:un(?:known type|recognized element)|duplicate ID|illegal ID)/.test(detail))
    return []
  const position = `(line ${Number(lines) + 1}, column ${Number(columns) + 1})`
  const [, id] = /\sid\s*=\s*["']([^"']*)["']/.exec(tag) ?? []
  const { code, text } = explainDetail(detail, tag.split(/[\s/>]/, 1)[0] ?? '')
  return [{ elementId: id ?? null, code, message: `${text} ${position}.` }]
}

/** The element of another vocabulary that a warning is about; undefined: it is about something else. */
export function foreignElementOf({ message }: ModdleWarning): string | undefined {
  const [, name, prefix = ''] = /nested error: unrecognized element <(([\w.-]+):[\w.-]+)>/.exec(message) ?? []
  return name === undefined || ownPrefixes.has(prefix) ? undefined : name
}

/** Those that the reader gives to the elements it knows, whatever the document calls them. */
const ownPrefixes: ReadonlySet<string> = new Set(['bpmn', 'bpmndi', 'di', 'dc', wfDescriptor.prefix])

const diagramNamespace =
  /\bxmlns:([\w.-]+)\s*=\s*["']http:\/\/www\.omg\.org\/spec\/(?:BPMN\/20100524|DD\/20100524)\/D[CI]["']/g

function isOfDiagram(xml: string, tag: string): boolean {
  const [, prefix] = /^<([\w.-]+):/.exec(tag) ?? []
  return prefix !== undefined && [...xml.matchAll(diagramNamespace)].some(([, declared]) => declared === prefix)
}

interface Explained {
  readonly code: FindingCode
  readonly text: string
}

function explainDetail(detail: string, tag: string): Explained {
  const [, quoted = ''] = /<(.*)>/.exec(detail) ?? []
  const invalid = (text: string): Explained => ({ code: 'invalid', text })
  const unreadable = (text: string): Explained => ({ code: 'unreadable', text })
  if (detail.startsWith('unexpected element'))
    return unreadable(
      `The document is not BPMN 2.0: its root element must be <definitions> of the namespace http://www.omg.org/spec/BPMN/20100524/MODEL, not <${quoted}>`,
    )
  if (detail.startsWith('duplicate ID'))
    return invalid(
      Object.hasOwn(Object.prototype, quoted)
        ? `The id "${quoted}" is reserved: choose another one`
        : `The id "${quoted}" is used more than once: every id must be unique`,
    )
  if (detail.startsWith('illegal ID'))
    return invalid(
      `The id "${quoted}" is not allowed: it must begin with a letter or underscore and contain only letters, digits, ".", "-" and "_"`,
    )
  if (
    detail.startsWith('unknown type') ||
    detail.startsWith('unrecognized element') ||
    detail.startsWith('cannot create')
  ) {
    const hint = tag.startsWith('<wf:') ? '; elements of this namespace belong inside <extensionElements>' : ''
    return invalid(`The element ${tag}> is unknown here${hint}`)
  }
  if (detail.startsWith('unexpected body text'))
    return invalid(`The text "${quoted.trim().slice(0, 40)}" does not belong there`)
  return unreadable(`The document is not well-formed XML: ${detail}`)
}

function tagAt(xml: string, line: number, column: number): string {
  const text = xml
    .split(/\r\n|\r|\n/)
    .slice(line)
    .join('\n')
    .slice(column)
  const end = text.indexOf('>')
  return text.slice(0, end === -1 ? 200 : end + 1)
}

const diagram = /^(?:bpmndi|di|dc):/

/** Whether an unknown attribute is one of ours that is out of place or mistyped. moddle accepts ours without prefix. */
export const isOurs = ({ element, property = '' }: ModdleWarning): boolean =>
  property.startsWith(`${wfDescriptor.prefix}:`) ||
  wfAttributes.has(property) ||
  freeAttribute(property) !== undefined ||
  element?.$type.startsWith(`${wfDescriptor.prefix}:`) === true

/** `user, manual and receive` */
const taskNames = new Intl.ListFormat('en-GB').format(
  nodeElements.filter(({ reads }) => reads === 'task').map(({ type }) => type.replace(/Task$/, '')),
)

function explainAttribute(element: BpmnElement, attribute: string): Finding[] {
  if (diagram.test(element.$type)) return []
  const at = (text: string): Finding[] => [{ elementId: visibleId(element), message: sentence(text) }]
  // `foreignWords` warns about those of others.
  const ours = isOurs({ message: '', element, property: attribute })
  if (freeAttribute(attribute) !== undefined)
    return at(`${describe(element)} cannot have ${attribute}: only ${taskNames} tasks can.`)
  return ours ? at(`${describe(element)} has the attribute ${attribute}, which is unknown there.`) : []
}
