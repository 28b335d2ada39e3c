import BpmnModdle from 'bpmn-moddle'
import { Reader } from 'moddle-xml'
import { own } from '../../../../kernel/collections/own-members.ts'
import { maxFindings, maxXmlBytes } from '../../../../kernel/limits/processes.ts'
import { elements } from '../../elements/registry.ts'
import type { BpmnElement, ModdleContext, ModdleWarning } from '../../shapes/bpmn-element.ts'
import type { Finding } from '../../shapes/compiled-process.ts'
import { checkShape, refuseXml } from './check-document.ts'
import { explainWarning, foreignElementOf, isOurs } from './explain-warning.ts'
import { freeAttribute } from './extensions.ts'
import { wfDescriptor } from './wf-descriptor.ts'

/** `findings`: what could not be read; `moddle` is undefined when the rest cannot be checked without it. */
export interface ReadDocument {
  readonly moddle?: ModdleContext
  readonly findings: readonly Finding[]
  /** Elements of other vocabularies where BPMN allows none: they are left out. */
  readonly foreign: readonly string[]
}

let model: BpmnModdle | undefined
/** Made once: a BPMN model takes some milliseconds to make, and reading does not change it. */
const bpmnModel = (): BpmnModdle => (model ??= withScriptElement(new BpmnModdle({ wf: wfDescriptor })))

/** BPMN writes the script of a global task as an element (BPMN20.xsd, tGlobalScriptTask); the model has an attribute. */
function withScriptElement(made: BpmnModdle): BpmnModdle {
  const script = made.registry.typeMap['bpmn:GlobalScriptTask']?.properties.find(({ name }) => name === 'bpmn:script')
  if (script !== undefined) script.isAttr = false
  return made
}

/** Reads a BPMN document in XML of at most 1 MB. */
export async function readDocument(written: string): Promise<ReadDocument> {
  const refused = refuseXml(written)
  const xml = refused === undefined ? qualifyTypes(written) : written
  if (refused !== undefined) {
    const code = Buffer.byteLength(written) > maxXmlBytes ? 'too_large' : 'unreadable'
    return { findings: [{ elementId: null, code, message: refused }], foreign: [] }
  }
  const warnings: ModdleWarning[] = []
  const foreign = new Set<string>()
  const explained = (): Finding[] => warnings.flatMap((warning) => explainWarning(xml, warning))
  try {
    const moddle = await parse(xml, warnings, foreign)
    const unread = warnings
      .filter(({ property }) => property === undefined)
      .flatMap((warning) => explainWarning(xml, warning))
    const misshapen = checkShape(moddle.rootElement)
    const findings = [...checkPrefix(moddle), ...explained(), ...misshapen]
    // moddle omits elements that it cannot read, so findings about the rest would mislead.
    if (unread.length > 0 || misshapen.length > 0) return { findings, foreign: [...foreign] }
    resolveQualifiedNames(moddle)
    return { moddle, findings, foreign: [...foreign] }
  } catch (cause) {
    if (cause instanceof TooManyWarnings) return { findings: explained(), foreign: [] }
    // For an unknown root element moddle adds a warning and then fails; the warning says what is wrong.
    const unread = cause instanceof Error && cause.message.startsWith('failed to parse')
    const findings = unread
      ? explained().slice(0, 1)
      : cause instanceof Error
        ? explainWarning(xml, { message: cause.message })
        : []
    if (findings.length === 0) throw cause
    return { findings, foreign: [] }
  }
}

const bpmnPrefix = /\sxmlns(?::([\w.-]+))?\s*=\s*["']http:\/\/www\.omg\.org\/spec\/BPMN\/20100524\/MODEL["']/
const expressionType = /(\s[\w.-]+:type\s*=\s*["'])(?:[\w.-]+:)?(t(?:Formal)?Expression)(?=["'])/g

/** An `xsi:type` needs the prefix of BPMN; some editors write `tFormalExpression` with none, or with another one. */
function qualifyTypes(xml: string): string {
  const prefix = bpmnPrefix.exec(xml)?.[1]
  return xml.replace(expressionType, (_, start: string, type: string) => `${start}${prefix ? `${prefix}:` : ''}${type}`)
}

/** Elements of other vocabularies that are left out; more are no BPMN. */
const maxForeign = 1_000

class TooManyWarnings extends Error {}

/** Each warning costs moddle a pass through the document; a hostile one could take minutes, so reading stops early. */
function parse(xml: string, warnings: ModdleWarning[], foreign: Set<string>): Promise<ModdleContext> {
  let left = maxForeign

  const reader = new Reader({ model: bpmnModel(), lax: true })
  const handler = reader.handler('bpmn:Definitions')
  let context: Record<string, unknown> | undefined
  Object.defineProperty(handler, 'context', {
    get: () => context,
    set: (made: Record<string, unknown>) => {
      context = made
      made.addWarning = (warning: ModdleWarning) => {
        // `foreignWords` finds the attributes of others.
        if (isExpected(warning) || (warning.property !== undefined && !isOurs(warning))) return
        const name = foreignElementOf(warning)
        if (name !== undefined && left-- > 0) {
          foreign.add(name)
          return
        }
        warnings.push(warning)
        if (warnings.length >= maxFindings) throw new TooManyWarnings()
      }
    },
  })
  return reader.fromXML(xml, handler)
}

/** `checkReferences` reports references, and `readTask` reads the free attributes. */
const isExpected = ({ message, element, property }: ModdleWarning): boolean =>
  message.startsWith('unresolved reference') ||
  (property !== undefined &&
    freeAttribute(property) !== undefined &&
    element !== undefined &&
    elements.nodeOf(element)?.reads === 'task')

/** With another URI, everything with our prefix would be ignored silently. */
function checkPrefix({ rootElement }: ModdleContext): Finding[] {
  const { prefix, uri } = wfDescriptor
  const bound = rootElement.$attrs[`xmlns:${prefix}`]
  return bound === undefined || bound === uri
    ? []
    : [{ elementId: null, message: `The prefix ${prefix} must stand for ${uri}, not for ${bound}.` }]
}

/**
 * Resolves references by qualified names, which the reader of XML takes for ids: `tns:er` names the element `er` of this
 * document, whatever the prefix is called.
 */
function resolveQualifiedNames(moddle: ModdleContext): void {
  moddle.references = moddle.references.map((reference) => {
    const { element, property, id = '' } = reference
    const local = id.trim().replace(/^.*[:}]/, '')
    if (local === id || own(moddle.elementsById, id) !== undefined) return reference
    const target: BpmnElement | undefined = own(moddle.elementsById, local)
    if (target === undefined) return reference
    const name = property.slice(property.indexOf(':') + 1)
    const isMany = element.$descriptor?.properties?.some((one) => one.name === name && one.isMany) === true
    element.set?.(name, isMany ? [...((element[name] as BpmnElement[] | undefined) ?? []), target] : target)
    return { ...reference, id: local }
  })
}
