import { elements } from '../elements/registry.ts'
import { conditionProblem, expressionKind, textProblem } from '../expressions/expression-problems.ts'
import type { TaskDefinition, WorkDefinition } from '../shapes/compiled-process.ts'
import { type Report, reportAs } from '../shapes/findings.ts'
import type { CallDefinition, VariableMapping } from '../shapes/graph.ts'
import type { Scope } from '../shapes/scopes.ts'
import { checkCompensation, checkElementTypes, checkEvents, checkLoops } from './check/check-elements.ts'
import { checkGateways } from './check/check-gateways.ts'
import { checkStructure } from './check/check-structure.ts'
import { checkExtensions } from './read/extensions.ts'
import { readCall, readMapping } from './read/read-call.ts'
import { readGlobalTask } from './read/read-global-task.ts'
import { readTask } from './read/read-task.ts'
import { isVariable, readWork } from './read/read-work.ts'

/** What was read of one process or sub-process, by the ids of its elements. */
export interface ReadScope {
  readonly tasks: readonly (readonly [string, TaskDefinition])[]
  readonly work: readonly (readonly [string, WorkDefinition])[]
  readonly mappings: readonly (readonly [string, VariableMapping])[]
  readonly calls: readonly (readonly [string, CallDefinition])[]
}

/** What checks get that report so. */
export const checksWith = (report: Report) => ({
  report,
  elements,
  conditionProblem,
  expressionKind,
  textProblem,
  isVariable,
})

/** Checks a process or sub-process, and reads what its elements do. */
export function readScope(scope: Scope, report: Report): ReadScope {
  const check = checksWith(report)
  for (const find of [checkStructure, checkGateways, checkEvents, checkLoops, checkCompensation]) find(scope, check)
  checkElementTypes(scope, { ...check, report: reportAs(report, 'unsupported') })
  const tasks: [string, TaskDefinition][] = []
  const work: [string, WorkDefinition][] = []
  const mappings: [string, VariableMapping][] = []
  const calls: [string, CallDefinition][] = []
  for (const element of [...scope.nodes, ...scope.flows]) {
    checkExtensions(element, report)
    const id = element.id ?? ''
    const mapping = readMapping(element, report)
    if (mapping !== undefined) mappings.push([id, mapping])
    const global = readGlobalTask(element, report)
    const call = global?.call ?? readCall(element, report)
    if (call !== undefined) calls.push([id, call])
    if (global !== undefined && 'task' in global) tasks.push([id, global.task])
    else if (global !== undefined) work.push([id, global.work])
    const reads = elements.nodeOf(element)?.reads
    if (reads === 'task') tasks.push([id, readTask(element, report)])
    else if (reads !== undefined) {
      const definition = readWork(element, reads, report)
      if (definition !== undefined) work.push([id, definition])
    }
  }
  return { tasks, work, mappings, calls }
}
