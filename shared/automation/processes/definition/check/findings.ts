import { maxElementIdCharacters, maxFindingCharacters, maxFindings } from '../../../../kernel/limits/processes.ts'
import type { Finding } from '../compiled-process.ts'
import { type BpmnElement, sentence, visibleId } from '../read/bpmn-element.ts'

/** Reports what is wrong with an element, in a sentence that says what to do. */
export type Report = (element: BpmnElement, message: string) => void

export interface Findings {
  readonly report: Report
  readonly add: (finding: Finding) => void
  readonly list: readonly Finding[]
}

/** Collects findings: each once, in order, at most `maxFindings`. */
export function collectFindings(): Findings {
  const list: Finding[] = []
  const seen = new Set<string>()
  const add = ({ elementId, message }: Finding): void => {
    const finding = {
      elementId: elementId?.slice(0, maxElementIdCharacters) ?? null,
      message: message.length > maxFindingCharacters ? `${message.slice(0, maxFindingCharacters)}...` : message,
    }
    const key = JSON.stringify(finding)
    if (list.length >= maxFindings || seen.has(key)) return
    seen.add(key)
    list.push(finding)
  }
  return { list, add, report: (element, message) => add({ elementId: visibleId(element), message: sentence(message) }) }
}
