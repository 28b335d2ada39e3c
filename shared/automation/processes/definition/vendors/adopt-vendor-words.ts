import { elements } from '../../elements/registry.ts'
import { conditionProblem } from '../check/expression-problems.ts'
import { type BpmnElement, describe, type ModdleContext, sentence, visibleId } from '../read/bpmn-element.ts'
import { wfDescriptor } from '../read/wf-descriptor.ts'
import type { Scope } from '../scopes.ts'
import { adoptCall } from './adopt-call.ts'
import { adoptDecision } from './adopt-decision.ts'
import { adoptEvent } from './adopt-event.ts'
import { adoptExpression } from './adopt-expression.ts'
import { adoptForm } from './adopt-form.ts'
import { adoptPeople, adoptResources } from './adopt-people.ts'
import { adoptScript, leaveOutScript } from './adopt-script.ts'
import { adoptSubscription } from './adopt-subscription.ts'
import { adoptLoop, adoptLoopData, adoptMapping } from './adopt-variables.ts'
import { translateExpression } from './translate-text.ts'
import { openVendorWords, type VendorWarning } from './vendor-words.ts'

/**
 * Turns the words of other engines into those of the service where they mean the same, in the document as it was read.
 * Answers warnings about those that do not; `foreignWords` finds the rest.
 */
export function adoptVendorWords(moddle: ModdleContext, scopes: readonly Scope[]): readonly VendorWarning[] {
  const warnings: VendorWarning[] = []
  // Only what is written for here can hold scripts in its words.
  const isForeign = moddle.rootElement.$attrs[`xmlns:${wfDescriptor.prefix}`] === undefined
  const open = openVendorWords(moddle.rootElement, (warning) => warnings.push(warning))
  if (open !== undefined)
    for (const root of moddle.rootElement.rootElements ?? [])
      if (root.$type === 'bpmn:Message') adoptSubscription(open(root))
  for (const { nodes, flows } of scopes) {
    for (const { conditionExpression } of flows) translate(conditionExpression, open !== undefined)
    for (const node of nodes) {
      const element = elements.nodeOf(node)
      const isTask = element?.reads === 'task'
      const loop = node.loopCharacteristics
      const host = open?.(node)
      if (host !== undefined) {
        if (isTask) {
          adoptPeople(host)
          adoptForm(host)
        }
        adoptEvent(host, moddle.rootElement)
        if (node.$type === 'bpmn:ScriptTask') adoptScript(host)
        if (node.$type === 'bpmn:BusinessRuleTask') adoptDecision(host)
        if (element?.holds?.includes('In')) adoptMapping(host)
        if (element?.reads === 'work') adoptExpression(host)
        if (node.$type === 'bpmn:CallActivity') adoptCall(host)
        if (loop !== undefined) adoptLoop(host, loop)
      }
      const warn = (what: string): void =>
        void warnings.push({ elementId: visibleId(node), message: sentence(`${describe(node)} ${what}.`) })
      if (isForeign && node.$type === 'bpmn:ScriptTask') leaveOutScript(node, warn)
      if (loop !== undefined) adoptLoopData(moddle, loop)
      adoptResources(node, { isTask, warn })
      for (const expression of expressionsOf(node)) translate(expression, open !== undefined)
    }
  }
  return warnings
}

/** In a document without words of another engine only what is no JavaScript can be UEL. */
function translate(expression: BpmnElement | undefined, isOfVendor: boolean): void {
  if (isOfVendor || (expression !== undefined && conditionProblem(expression.body) !== undefined))
    translateExpression(expression)
}

const expressionsOf = (node: BpmnElement) => {
  const { loopCharacteristics: loop, eventDefinitions = [] } = node
  return [
    ...(elements.nodeOf(node)?.expressions?.(node) ?? []),
    loop?.loopCardinality,
    loop?.loopCondition,
    loop?.completionCondition,
    ...eventDefinitions.flatMap(({ timeDuration, timeDate, timeCycle, condition }) => [
      timeDuration,
      timeDate,
      timeCycle,
      condition as BpmnElement | undefined,
    ]),
  ]
}
