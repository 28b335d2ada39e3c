import type { Report } from '../check/findings.ts'
import type { WorkDefinition } from '../compiled-process.ts'
import { parseExpression } from '../expression.ts'
import { type BpmnElement, describe } from './bpmn-element.ts'
import { expressiveText, textOf } from './extensions.ts'

/** Reads which decision a business rule task evaluates, and in which version. */
export function readDecision(
  task: BpmnElement,
  named: { readonly resultVariable?: string },
  report: Report,
): WorkDefinition | undefined {
  const decision = expressiveText(task, 'decision', report)
  const version = textOf(task, 'version', report)
  if (version !== undefined && version !== 'latest' && version !== 'pinned')
    report(
      task,
      `${describe(task)}: wf:version is "latest" (the version when it is evaluated) or "pinned" (the version when this process was saved), not "${version.slice(0, 80)}".`,
    )
  if (decision === undefined) return undefined
  const isExpression = parseExpression(decision).kind === 'expression'
  if (isExpression && version === 'pinned')
    report(task, `${describe(task)}: wf:version="pinned" needs the code of a decision, not an expression.`)
  return {
    kind: 'decision',
    decision,
    resultVariable: named.resultVariable ?? variableOf(isExpression ? (task.id ?? 'decision') : decision),
    // The decision is looked up when the process is saved.
    ...(version === 'pinned' && { pinned: 'unknown' as const }),
  }
}

/** `response_time` for the code `response-time`. */
const variableOf = (code: string): string =>
  code
    .replaceAll(/\W/g, '_')
    .replace(/^(?=\d)/, '_')
    .slice(0, 63)
