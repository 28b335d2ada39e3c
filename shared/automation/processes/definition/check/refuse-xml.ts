import { maxXmlBytes } from '../../../../kernel/limits/processes.ts'
import { xmlProblem } from '../../../../kernel/text/xml-problem.ts'

/**
 * Why a text is refused before parsing, for what moddle would accept and we do not; undefined: it is not. Linear time.
 */
export function refuseXml(xml: string): string | undefined {
  if (xml.length > maxXmlBytes || Buffer.byteLength(xml) > maxXmlBytes) return 'The document is larger than 1 MB.'
  if (xml.trim() === '') return 'The document is empty: a BPMN 2.0 document in XML is needed.'
  return xmlProblem(xml)
}
