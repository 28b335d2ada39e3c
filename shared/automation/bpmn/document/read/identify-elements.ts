import { maxElementIdCharacters } from '../../../../kernel/limits/processes.ts'
import { type BpmnElement, isA, type ModdleContext, typeOf } from '../../shapes/bpmn-element.ts'

/** Leaves room for the number that tells ids apart. */
const maxStemCharacters = maxElementIdCharacters - 6

/**
 * Gives an id to the process and to its elements that have none: BPMN does not require one, and some editors leave those
 * of flows out. The same document always gets the same ids: a flow's is made of the ids of its ends.
 */
export function identifyElements({ elementsById }: ModdleContext, process: BpmnElement): void {
  const known = elementsById as Record<string, BpmnElement>
  const identify = (element: BpmnElement, stem: string): void => {
    if (element.id !== undefined) return
    const short = stem.slice(0, maxStemCharacters)
    let id = short
    for (let number = 2; Object.hasOwn(known, id); number++) id = `${short}_${number}`
    element.id = id
    known[id] = element
  }
  identify(process, 'Process')
  const flows: BpmnElement[] = []
  const pending = [process]
  for (let owner = pending.pop(); owner !== undefined; owner = pending.pop())
    for (const element of owner.flowElements ?? []) {
      if (isA(element, 'SequenceFlow')) flows.push(element)
      else if (isA(element, 'FlowNode')) {
        identify(element, typeOf(element))
        pending.push(element)
      }
    }
  for (const flow of flows) identify(flow, ['Flow', flow.sourceRef?.id, flow.targetRef?.id].filter(Boolean).join('_'))
}
