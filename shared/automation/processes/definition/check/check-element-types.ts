import type { Check } from '../../elements/element.ts'
import { insteadOf } from '../../elements/registry.ts'
import { describe, typeOf } from '../read/bpmn-element.ts'
import type { Scope } from '../scopes.ts'

/** Reports elements of types that are not supported. */
export function checkElementTypes({ nodes }: Scope, { report }: Check): void {
  for (const node of nodes) {
    const instead = insteadOf(typeOf(node))
    if (instead !== undefined) report(node, `${describe(node)} is of a type that is not supported: ${instead}.`)
    if (node.loopCharacteristics !== undefined && insteadOf(typeOf(node.loopCharacteristics)) !== undefined)
      report(node, `${describe(node)} repeats in a way that is not supported.`)
    for (const definition of node.eventDefinitions ?? []) {
      const way = insteadOf(typeOf(definition))
      if (way !== undefined) report(node, `${describe(node)} is an event of a type that is not supported: ${way}.`)
    }
  }
}
