import { byName } from '../../../../kernel/collections/own-members.ts'
import { elements } from '../../elements/registry.ts'
import { conditionProblem } from '../../expressions/expression-problems.ts'
import { type BpmnElement, describe, isA, type ModdleContext, sentence, visibleId } from '../../shapes/bpmn-element.ts'
import type { StartVariables } from '../../shapes/compiled-process.ts'
import type { Scope } from '../../shapes/scopes.ts'
import { wfDescriptor } from '../read/wf-descriptor.ts'
import { adoptCall } from './adopt-call.ts'
import { adoptDecision } from './adopt-decision.ts'
import { adoptEvent, adoptNames, adoptRepetition, nameThrown } from './adopt-event.ts'
import { adoptExpression } from './adopt-expression.ts'
import { assumeDefaults } from './adopt-flows.ts'
import { adoptForm } from './adopt-form.ts'
import { adoptPeople, adoptResources } from './adopt-people.ts'
import { adoptScript, leaveOutScript } from './adopt-script.ts'
import { adoptData, adoptStart, type OpenStart } from './adopt-start.ts'
import { adoptSubscription } from './adopt-subscription.ts'
import { adoptLoop, adoptLoopData, adoptMapping } from './adopt-variables.ts'
import { translateExpression } from './translate-text.ts'
import { openVendorWords, type VendorHost, vendorsOf, type VendorWarning } from './vendor-words.ts'

/**
 * Turns the words of other engines into those of the service where they mean the same, in the document as it was read.
 * Answers warnings about those that do not; `foreignWords` finds the rest.
 */
export function adoptVendorWords(
  moddle: ModdleContext,
  scopes: readonly Scope[],
): { readonly warnings: readonly VendorWarning[]; readonly startVariables?: StartVariables } {
  const warnings: VendorWarning[] = []
  // Only what is written for here can hold scripts in its words.
  const isForeign = moddle.rootElement.$attrs[`xmlns:${wfDescriptor.prefix}`] === undefined
  const open = openVendorWords(moddle.rootElement, (warning) => warnings.push(warning))
  if (open !== undefined)
    for (const root of moddle.rootElement.rootElements ?? []) {
      if (root.$type === 'bpmn:Message') adoptSubscription(open(root))
      nameThrown(open(root), moddle)
    }
  const isUel = [...vendorsOf(moddle.rootElement).values()].includes('uel')
  const start: OpenStart = { initiators: [], values: byName() }
  const [outermost] = scopes
  for (const data of outermost?.owner.flowElements ?? [])
    if (open !== undefined && isA(data, 'DataObject')) adoptData(open(data), moddle, start)
  for (const scope of scopes) {
    const { nodes, flows } = scope
    for (const flow of flows) translate(flow.conditionExpression, open?.(flow))
    if (isUel) warnings.push(...assumeDefaults(moddle, scope))
    for (const node of nodes) {
      const element = elements.nodeOf(node)
      const isTask = element?.reads === 'task'
      const loop = node.loopCharacteristics
      const host = open?.(node)
      if (host !== undefined) {
        if (isTask) {
          adoptPeople(host, start)
          adoptForm(host)
        }
        adoptEvent(host, moddle.rootElement)
        if (node.$type === 'bpmn:ScriptTask') adoptScript(host)
        if (node.$type === 'bpmn:BusinessRuleTask') adoptDecision(host)
        adoptNames(host, moddle.rootElement)
        adoptRepetition(host)
        if (element?.holds?.some((held) => held === 'In' || held === 'Out')) adoptMapping(host, element.holds)
        if (element?.reads === 'work') adoptExpression(host)
        if (node.$type === 'bpmn:CallActivity') adoptCall(host)
        if (loop !== undefined) adoptLoop(host, loop)
      }
      const warn = (what: string): void =>
        void warnings.push({ elementId: visibleId(node), message: sentence(`${describe(node)} ${what}.`) })
      if (isForeign && node.$type === 'bpmn:ScriptTask') leaveOutScript(node, warn)
      if (loop !== undefined) adoptLoopData(moddle, loop)
      adoptResources(node, { isTask, warn })
      for (const expression of expressionsOf(node)) translate(expression, host)
      if (host !== undefined && scope === outermost && isA(node, 'StartEvent'))
        adoptStart(host, { moddle, nodes, start })
    }
  }
  const isEmpty = start.initiators.length + Object.keys(start.values).length === 0
  return { warnings, ...(!isEmpty && { startVariables: start }) }
}

/** In a document without words of another engine only what is no JavaScript can be UEL. */
function translate(expression: BpmnElement | undefined, host: VendorHost | undefined): void {
  if (host !== undefined || (expression !== undefined && conditionProblem(expression.body) !== undefined))
    translateExpression(expression, host)
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
