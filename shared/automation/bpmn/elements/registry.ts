import { own } from '../../../kernel/collections/own-members.ts'
import { isA, typeOf } from '../shapes/bpmn-element.ts'
import { adHocSubProcess } from './activities/ad-hoc-sub-process.ts'
import { callActivity } from './activities/call-activity.ts'
import { plainTask } from './activities/plain-task.ts'
import { subProcess } from './activities/sub-process.ts'
import { transaction } from './activities/transaction.ts'
import { manualTask, receiveTask, userTask } from './activities/waiting-tasks.ts'
import { businessRuleTask, scriptTask, sendTask, serviceTask } from './activities/work-tasks.ts'
import type { Elements, LoopElement, NodeElement, TriggerElement } from './element.ts'
import { boundaryEvent } from './events/boundary-event.ts'
import { catchEvent } from './events/catch-event.ts'
import { endEvent } from './events/end-event.ts'
import { startEvent } from './events/start-event.ts'
import { throwEvent } from './events/throw-event.ts'
import { complexGateway } from './gateways/complex-gateway.ts'
import { eventBasedGateway } from './gateways/event-based-gateway.ts'
import { exclusiveGateway } from './gateways/exclusive-gateway.ts'
import { inclusiveGateway } from './gateways/inclusive-gateway.ts'
import { parallelGateway } from './gateways/parallel-gateway.ts'
import { multiInstance } from './loops/multi-instance.ts'
import { standardLoop } from './loops/standard-loop.ts'
import { cancelTrigger } from './triggers/cancel.ts'
import { compensation } from './triggers/compensation.ts'
import { conditional } from './triggers/conditional.ts'
import { error } from './triggers/error.ts'
import { escalation } from './triggers/escalation.ts'
import { link } from './triggers/link.ts'
import { message } from './triggers/message.ts'
import { signal } from './triggers/signal.ts'
import { terminate } from './triggers/terminate.ts'
import { timer } from './triggers/timer.ts'

export const nodeElements: readonly NodeElement[] = [
  plainTask,
  userTask,
  manualTask,
  receiveTask,
  serviceTask,
  sendTask,
  businessRuleTask,
  scriptTask,
  subProcess,
  adHocSubProcess,
  transaction,
  callActivity,
  startEvent,
  endEvent,
  catchEvent,
  throwEvent,
  boundaryEvent,
  exclusiveGateway,
  inclusiveGateway,
  parallelGateway,
  eventBasedGateway,
  complexGateway,
]
export const triggerElements: readonly TriggerElement[] = [
  timer,
  message,
  signal,
  conditional,
  error,
  escalation,
  compensation,
  cancelTrigger,
  link,
  terminate,
]
export const loopElements: readonly LoopElement[] = [multiInstance, standardLoop]

/** `instead`: what authors may use. `finding`: what the engine says of it, after the element's name. */
interface Refusal {
  readonly instead: string
  readonly finding?: string
}

/** Elements of BPMN that are not supported, of which we know what authors mean by them. */
export const refusedElements: Readonly<Record<string, Refusal>> = {
  callChoreography: { instead: 'choreographies cannot be run' },
  subChoreography: { instead: 'choreographies cannot be run' },
  choreographyTask: { instead: 'choreographies cannot be run' },
  implicitThrowEvent: { instead: 'use an intermediate throw event' },
}

const nodes = new Map(nodeElements.map((element) => [element.type, element]))
const triggers = new Map<string | undefined, TriggerElement>(triggerElements.map((element) => [element.on, element]))
const loops = new Map(loopElements.map((element) => [element.kind, element]))
const byType = new Map<string, NodeElement | TriggerElement | LoopElement>(
  [...nodeElements, ...triggerElements, ...loopElements].map((element) => [element.type, element]),
)

export const elements: Elements = {
  node: (type) => nodes.get(type),
  nodeOf: (element) => nodes.get(typeOf(element)) ?? nodeElements.find(({ type }) => isA(element, bpmnName(type))),
  trigger: (on) => triggers.get(on),
  triggerOf: (definition) => definition && triggerElements.find(({ type }) => type === typeOf(definition)),
  loop: (kind) => loops.get(kind) as LoopElement,
  loopOf: (type) => loopElements.find((element) => element.type === type),
}

/** `UserTask` for `userTask`. */
export const bpmnName = (type: string): string => type.charAt(0).toUpperCase() + type.slice(1)

/** What to use instead of an element that templates may not use; undefined: they may. */
export function insteadOf(type: string): string | undefined {
  const known = byType.get(type)
  if (known !== undefined) return 'instead' in known ? known.instead : undefined
  return own(refusedElements, type)?.instead ?? 'use one of another type'
}
