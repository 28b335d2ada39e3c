import { nearestWord } from '../../../../kernel/text/did-you-mean.ts'
import { type BpmnElement, describe, isA } from '../../shapes/bpmn-element.ts'
import type { Report } from '../../shapes/findings.ts'
import type { Scope } from '../../shapes/scopes.ts'

/** Checks that `wf:fourEyes` of a user task names another user task of the process. */
export function checkFourEyes(scopes: readonly Scope[], report: Report): void {
  const nodes = scopes.flatMap((scope) => scope.nodes)
  const byId = new Map(nodes.map((node) => [node.id ?? '', node]))
  for (const node of nodes) {
    const named = typeof node.fourEyes === 'string' ? node.fourEyes.trim() : ''
    if (named !== '') checkOne(node, named, byId, report)
  }
}

function checkOne(node: BpmnElement, named: string, byId: ReadonlyMap<string, BpmnElement>, report: Report): void {
  const target = byId.get(named)
  const refuse = (message: string) => report(node, `${describe(node)}: ${message}`)
  if (!isA(node, 'UserTask')) refuse('wf:fourEyes is for user tasks.')
  else if (target === undefined) {
    const others = [...byId].flatMap(([id, one]) => (one !== node && isA(one, 'UserTask') ? [id] : []))
    const nearest = nearestWord(named, others)
    refuse(
      `wf:fourEyes names "${named}", which does not exist.${nearest === undefined ? '' : ` Did you mean "${nearest}"?`}`,
    )
  } else if (target === node)
    refuse('wf:fourEyes names the task itself: name the task whose people may not do this one.')
  else if (!isA(target, 'UserTask')) refuse(`wf:fourEyes must name a user task, not ${describe(target)}.`)
}
