import { maxXmlBytes } from '../../../../kernel/limits/processes.ts'
import { xmlProblem } from '../../../../kernel/text/xml-problem.ts'
import { type BpmnElement, describe, sentence, visibleId } from '../../shapes/bpmn-element.ts'
import type { Finding } from '../../shapes/compiled-process.ts'

const texts = new Set(['String', 'Boolean', 'Integer', 'Real'])

/**
 * Finds texts where elements are expected: moddle reads the attribute `flowElements="x"` as if it were child elements.
 */
export function checkShape(root: BpmnElement): readonly Finding[] {
  const findings: Finding[] = []
  const pending = [root]
  for (let element = pending.pop(); element !== undefined; element = pending.pop()) {
    for (const { name, type, isAttr, isReference } of element.$descriptor?.properties ?? []) {
      // Referenced elements are visited anyway.
      if (isAttr === true || isReference === true || texts.has(type)) continue
      const property = name.slice(name.indexOf(':') + 1)
      const value = element[property]
      if (typeof value === 'string')
        findings.push({
          elementId: visibleId(element),
          message: sentence(`${describe(element)} has ${property} as an attribute, where elements are expected.`),
        })
      else if (Array.isArray(value)) pending.push(...(value as BpmnElement[]))
      else if (typeof value === 'object' && value !== null) pending.push(value as BpmnElement)
    }
  }
  return findings
}

/**
 * Why a text is refused before parsing, for what moddle would accept and we do not; undefined: it is not. Linear time.
 */
export function refuseXml(xml: string): string | undefined {
  if (xml.length > maxXmlBytes || Buffer.byteLength(xml) > maxXmlBytes) return 'The document is larger than 1 MB.'
  if (xml.trim() === '') return 'The document is empty: a BPMN 2.0 document in XML is needed.'
  return xmlProblem(xml)
}
