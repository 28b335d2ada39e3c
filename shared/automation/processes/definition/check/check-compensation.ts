import type { Check } from '../../elements/element.ts'
import { describe } from '../read/bpmn-element.ts'
import { associatedActivity, linksOf, type Scope } from '../scopes.ts'

/** Checks that activities for compensation are reached by the event that they belong to, and by nothing else. */
export function checkCompensation(scope: Scope, { report }: Check): void {
  const handlers = scope.nodes.filter(({ isForCompensation }) => isForCompensation === true)
  if (handlers.length === 0) return
  const { from, to } = linksOf(scope)
  const associated = new Set(
    scope.nodes.flatMap((node) => (node.attachedToRef === undefined ? [] : (associatedActivity(node) ?? []))),
  )
  for (const handler of handlers) {
    if (from.has(handler) || to.has(handler))
      report(handler, `${describe(handler)} is for compensation, so no flow can lead to it or leave it.`)
    else if (!associated.has(handler))
      report(
        handler,
        `${describe(handler)} is for compensation, but no compensation event on the border of an activity is associated with it.`,
        'incomplete',
      )
  }
}
