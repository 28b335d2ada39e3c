import type { Finding } from '../../definition/compiled-process.ts'
import { finding, type Element } from '../model/moddle-elements.ts'

/** Loops without end, and multi-instance features that the engine does not support. */
export function findInLoop(activity: Element): Finding[] {
  const { loopCharacteristics: loop } = activity
  if (loop === undefined) return []
  if (activity.triggeredByEvent === true)
    return [finding(activity, 'is an event sub-process, so it cannot run several times.')]
  if (loop.$type === 'bpmn:StandardLoopCharacteristics') {
    const isEmpty = bodyOf(loop.loopCondition) === '' && loop.loopMaximum === undefined
    return isEmpty ? [finding(activity, 'loops without end: give the loop a condition or a maximum.')] : []
  }
  const found: Finding[] = []
  if (bodyOf(loop.loopCardinality) === '' && String(loop.collection ?? '').trim() === '') {
    found.push(
      finding(
        activity,
        'runs several times, but does not say how often: give it a loopCardinality or a wf:collection.',
      ),
    )
  }
  if (loop.behavior !== undefined && loop.behavior !== 'All') {
    found.push(
      finding(
        activity,
        `throws events while it runs several times (behavior '${String(loop.behavior)}'), which is not supported: use a completion condition.`,
      ),
    )
  }
  for (const name of ['loopDataInputRef', 'loopDataOutputRef', 'inputDataItem', 'outputDataItem']) {
    if (loop[name] !== undefined)
      found.push(
        finding(
          activity,
          `has a ${name} in its loop, which is not supported: use wf:collection and wf:elementVariable.`,
        ),
      )
  }
  return found
}

const bodyOf = (expression: unknown): string => ((expression as { body?: string } | undefined)?.body ?? '').trim()
