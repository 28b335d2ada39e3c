import { type BpmnElement, isA, rootOf } from '../../shapes/bpmn-element.ts'
import type { TaskDefinition, WorkDefinition } from '../../shapes/compiled-process.ts'
import type { Report } from '../../shapes/findings.ts'
import type { CallDefinition } from '../../shapes/graph.ts'
import { readTask } from './read-task.ts'
import { readScriptTask } from './read-work.ts'

/** What a call activity does that calls a global task of its document. */
export type GlobalTask =
  | { readonly call: CallDefinition & { readonly global: 'task' }; readonly task: TaskDefinition }
  | { readonly call: CallDefinition & { readonly global: 'work' }; readonly work: WorkDefinition }

/** The task that a call activity names in its own document; undefined: it names none. */
export function globalTaskOf(activity: BpmnElement): BpmnElement | undefined {
  if (!isA(activity, 'CallActivity') || typeof activity.calledElement !== 'string') return undefined
  // A reference of BPMN may have the prefix of a namespace.
  const id = activity.calledElement.trim().replace(/^[\w.-]+:/, '')
  return rootOf(activity).$parent?.rootElements?.find((root) => isA(root, 'GlobalTask') && root.id === id)
}

/**
 * Reads a call activity of a global task as a task of that kind: one of people, or one that the service does by its
 * script.
 */
export function readGlobalTask(activity: BpmnElement, report: Report): GlobalTask | undefined {
  const called = globalTaskOf(activity)
  if (called === undefined) return undefined
  if (isA(called, 'GlobalUserTask', 'GlobalManualTask'))
    return { call: { global: 'task' }, task: readTask(activity, report) }
  const isScript = isA(called, 'GlobalScriptTask') && called.script !== undefined
  return { call: { global: 'work' }, work: isScript ? readScriptTask(called, report) : { kind: 'none' } }
}
