import { scriptProblem } from '../../expressions/expression-problems.ts'
import { isJavaScript, parseExpression } from '../../expressions/expression.ts'
import { type BpmnElement, describe } from '../../shapes/bpmn-element.ts'
import type { WorkDefinition } from '../../shapes/compiled-process.ts'
import type { Report } from '../../shapes/findings.ts'
import { expressiveText, extensionsOf, readSets, textOf } from './extensions.ts'
import { readNotify } from './read-notify.ts'

const actions = ['setFields', 'createRecord', 'notify', 'script', 'decision'] as const
type Action = (typeof actions)[number]

/**
 * Reads what a task does: its script (`script`), or what its `wf:` action says (`work`); undefined when it is unclear. A task without any
 * description passes through: plain BPMN requires none (docs/decisions/0030).
 */
export function readWork(task: BpmnElement, reads: 'work' | 'script', report: Report): WorkDefinition | undefined {
  if (task.version !== undefined && typeof task.decision !== 'string')
    report(task, `${describe(task)} has wf:version and no wf:decision, whose version it would be.`)
  if (isUndescribed(task)) return { kind: 'none' }
  if (reads === 'script') return readScriptTask(task, report)
  const action = readAction(task, report)
  switch (action) {
    case 'script': {
      const [written, ...more] = scriptsOf(task)
      if (more.length > 0)
        report(task, `${describe(task)} has more than one script; write one attribute wf:script, or one element.`)
      return readScript(task, written ?? '', report)
    }
    case 'setFields':
      return {
        kind: 'setFields',
        sets: extensionsOf(task, 'SetFields').flatMap((element) => readSets(task, element, report)),
      }
    case 'createRecord':
      return readCreateRecord(task, report)
    case 'notify':
      return {
        kind: 'notify',
        notifications: extensionsOf(task, 'Notify').map((notify) => readNotify(task, notify, report)),
      }
    case 'decision':
      return readDecision(task, readResultVariable(task, task, report), report)
    case undefined:
      return undefined
  }
}

const isUndescribed = (task: BpmnElement): boolean =>
  task.action === undefined && task.script === undefined && !actions.some((action) => isDescribed(task, action))

/** The action of `wf:action`, or else the only one that is described. */
function readAction(task: BpmnElement, report: Report): Action | undefined {
  const described = actions.filter((action) => isDescribed(task, action))
  const named = task.action as string | undefined
  if (named === undefined) {
    if (described.length > 1)
      report(task, `${describe(task)} could do several things (${described.join(', ')}); set wf:action to one of them.`)
    return described.length === 1 ? described[0] : undefined
  }
  const action = actions.find((known) => known === named)
  if (action === undefined)
    report(task, `${describe(task)} has the unknown wf:action "${named}"; there are ${actions.join(', ')}.`)
  else if (!described.includes(action))
    report(task, `${describe(task)} has wf:action="${action}" but no wf:${action} that says more.`)
  else {
    const idle = described.filter((other) => other !== action)
    if (idle.length === 0) return action
    report(
      task,
      `${describe(task)} has wf:action="${action}" and holds wf:${idle.join(', wf:')} as well, which would do nothing.`,
    )
  }
  return undefined
}

function isDescribed(task: BpmnElement, action: Action): boolean {
  if (action === 'script') return scriptsOf(task).length > 0
  if (action === 'decision') return typeof task.decision === 'string'
  return extensionsOf(task, `${action.charAt(0).toUpperCase()}${action.slice(1)}`).length > 0
}

const scriptsOf = (task: BpmnElement): readonly string[] => [
  ...(typeof task.script === 'string' ? [task.script] : []),
  ...extensionsOf(task, 'Script').map(({ body }) => body ?? ''),
]

/** Reads a script task, or a global one. */
export function readScriptTask(task: BpmnElement, report: Report): WorkDefinition {
  const format = (task.scriptFormat ?? task.scriptLanguage) as string | undefined
  if (format !== undefined && !isJavaScript(format))
    report(task, `${describe(task)} has a script in "${format}"; scripts are JavaScript.`)
  return readScript(task, typeof task.script === 'string' ? task.script : '', report)
}

function readScript(task: BpmnElement, script: string, report: Report): WorkDefinition {
  const fault = script.trim() === '' ? 'it is empty' : scriptProblem(script)
  if (fault !== undefined) report(task, `the script of ${describe(task)} cannot be run: ${fault}.`)
  return { kind: 'script', script, ...readResultVariable(task, task, report) }
}

function readCreateRecord(task: BpmnElement, report: Report): WorkDefinition {
  const [element, ...more] = extensionsOf(task, 'CreateRecord')
  if (more.length > 0) report(task, `${describe(task)} has more than one wf:createRecord; a task makes one record.`)
  const table = typeof element?.table === 'string' ? element.table.trim() : ''
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(table))
    report(task, `${describe(task)}: a wf:createRecord needs the name of a table, not "${table}".`)
  const holder = element?.resultVariable === undefined ? task : element
  return {
    kind: 'createRecord',
    table,
    sets: element === undefined ? [] : readSets(task, element, report),
    ...readResultVariable(task, holder ?? task, report),
  }
}

function readResultVariable(
  task: BpmnElement,
  holder: BpmnElement,
  report: Report,
): { readonly resultVariable?: string } {
  const resultVariable = holder.resultVariable as string | undefined
  if (resultVariable === undefined) return {}
  if (!isVariable(resultVariable))
    report(task, `${describe(task)}: wf:resultVariable="${resultVariable}" is no name for a variable.`)
  return { resultVariable }
}

/** Whether a text may name a process variable. */
export const isVariable = (name: string): boolean =>
  /^[A-Za-z_$][\w$]{0,62}$/.test(name) && !Object.hasOwn(Object.prototype, name)

/** Reads which decision a business rule task evaluates, and in which version. */
function readDecision(
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
