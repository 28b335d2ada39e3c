import { type BpmnElement, describe } from '../../shapes/bpmn-element.ts'
import type { Report } from '../../shapes/findings.ts'
import type { Scope } from '../../shapes/scopes.ts'
import { isVariable } from './read-work.ts'

/** What a template marks as shown to everybody who may read the record, whatever went into it (`wf:shown`). */
export interface Shown {
  readonly elements: ReadonlySet<string>
  readonly variables: ReadonlySet<string>
}

/** Reads `wf:shown` of the process and its elements: `true` for all of it, or the names of variables. */
export function readShown(process: BpmnElement, scopes: readonly Scope[], report: Report): Shown {
  const nodes = scopes.flatMap((scope) => scope.nodes)
  const elements = new Set<string>()
  const variables = new Set<string>()
  for (const node of [process, ...nodes]) {
    const text = typeof node.shown === 'string' ? node.shown.trim() : undefined
    if (text === undefined || text === 'false') continue
    if (text === 'true') for (const { id = '' } of node === process ? nodes : [node]) elements.add(id)
    else
      for (const name of text.split(',').map((one) => one.trim()))
        if (isVariable(name)) variables.add(name)
        else
          report(
            node,
            `${describe(node)}: wf:shown is "true", "false" or the names of variables, separated by commas; "${name}" is none of them.`,
          )
  }
  return { elements, variables }
}
