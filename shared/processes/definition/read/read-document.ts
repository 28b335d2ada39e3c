import BpmnModdle from 'bpmn-moddle'
import { Reader } from 'moddle-xml'
import { checkShape } from '../check/check-shape.ts'
import { explainWarning } from '../check/explain-warning.ts'
import { maxFindings } from '../check/findings.ts'
import { refuseXml } from '../check/refuse-xml.ts'
import type { Finding } from '../compiled-process.ts'
import { isA, type ModdleContext, type ModdleWarning } from './bpmn-element.ts'
import { freeAttribute } from './free-attributes.ts'
import { wfDescriptor } from './wf-descriptor.ts'

/** `moddle` is undefined when there is no document to look at; `findings`: what of it is written so that it cannot be read. */
export interface ReadDocument {
  readonly moddle?: ModdleContext
  readonly findings: readonly Finding[]
}

let model: BpmnModdle | undefined
/** Made once: a model of BPMN takes some milliseconds, and reading changes nothing in it. */
const bpmnModel = (): BpmnModdle => (model ??= new BpmnModdle({ wf: wfDescriptor }))

/** Reads a document of BPMN in XML, of at most 1 MB. */
export async function readDocument(xml: string): Promise<ReadDocument> {
  const refused = refuseXml(xml)
  if (refused !== undefined) return { findings: [{ elementId: null, message: refused }] }
  const warnings: ModdleWarning[] = []
  const explained = (): Finding[] => warnings.flatMap((warning) => explainWarning(xml, warning))
  try {
    const moddle = await parse(xml, warnings)
    const unread = warnings
      .filter(({ property }) => property === undefined)
      .flatMap((warning) => explainWarning(xml, warning))
    const misshapen = checkShape(moddle.rootElement)
    const findings = [...checkPrefix(moddle), ...explained(), ...misshapen]
    // The reader leaves out an element that it cannot read: what is said of the rest would mislead.
    return unread.length > 0 || misshapen.length > 0 ? { findings } : { moddle, findings }
  } catch (cause) {
    if (cause instanceof TooManyWarnings) return { findings: explained() }
    // A root element that is none of ours is told as a warning, before the reader finds that it has read nothing.
    const unread = cause instanceof Error && cause.message.startsWith('failed to parse')
    const findings = unread
      ? explained().slice(0, 1)
      : cause instanceof Error
        ? explainWarning(xml, { message: cause.message })
        : []
    if (findings.length === 0) throw cause
    return { findings }
  }
}

class TooManyWarnings extends Error {}

/** Each warning costs the reader a walk through the document: a hostile one could keep it busy for minutes, so it stops. */
function parse(xml: string, warnings: ModdleWarning[]): Promise<ModdleContext> {
  const reader = new Reader({ model: bpmnModel(), lax: true })
  const handler = reader.handler('bpmn:Definitions')
  let context: Record<string, unknown> | undefined
  Object.defineProperty(handler, 'context', {
    get: () => context,
    set: (made: Record<string, unknown>) => {
      context = made
      made.addWarning = (warning: ModdleWarning) => {
        if (isExpected(warning)) return
        warnings.push(warning)
        if (warnings.length >= maxFindings) throw new TooManyWarnings()
      }
    },
  })
  return reader.fromXML(xml, handler)
}

/** References are checked where it is known what they mean; the free attributes of tasks are read with the tasks. */
const isExpected = ({ message, element, property }: ModdleWarning): boolean =>
  message.startsWith('unresolved reference') ||
  (property !== undefined &&
    freeAttribute(property) !== undefined &&
    isA(element, 'UserTask', 'ManualTask', 'ReceiveTask'))

/** Under another address everything with our prefix would be taken for somebody else's and do nothing. */
function checkPrefix({ rootElement }: ModdleContext): Finding[] {
  const { prefix, uri } = wfDescriptor
  const bound = rootElement.$attrs[`xmlns:${prefix}`]
  return bound === undefined || bound === uri
    ? []
    : [{ elementId: null, message: `The prefix ${prefix} must stand for ${uri}, not for ${bound}.` }]
}
