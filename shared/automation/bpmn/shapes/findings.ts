import { maxElementIdCharacters, maxFindingCharacters, maxFindings } from '../../../kernel/limits/processes.ts'
import { type BpmnElement, sentence, visibleId } from './bpmn-element.ts'
import type { Finding } from './compiled-process.ts'
import type { FindingCode } from './finding-codes.ts'

/** Reports what is wrong with an element, in a sentence that says what to do. */
export type Report = (element: BpmnElement, message: string, code?: FindingCode) => void

export interface Findings {
  readonly report: Report
  readonly add: (finding: Finding) => void
  readonly list: readonly Finding[]
}

/** Collects findings: each once, in order, at most `maxFindings`. */
export function collectFindings(): Findings {
  const list: Finding[] = []
  const seen = new Set<string>()
  const add = ({ elementId, code = 'invalid', message }: Finding): void => {
    const finding = {
      elementId: elementId?.slice(0, maxElementIdCharacters) ?? null,
      code,
      message: message.length > maxFindingCharacters ? `${message.slice(0, maxFindingCharacters)}...` : message,
    }
    const key = JSON.stringify([finding.elementId, finding.message])
    if (list.length >= maxFindings || seen.has(key)) return
    seen.add(key)
    list.push(finding)
  }
  return {
    list,
    add,
    report: (element, message, code) => add({ elementId: visibleId(element), code, message: sentence(message) }),
  }
}

/** Reports under a code what a check gives none. */
export const reportAs =
  (report: Report, usual: FindingCode): Report =>
  (element, message, code = usual) =>
    report(element, message, code)
