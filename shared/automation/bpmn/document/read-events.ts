import { byName, own } from '../../../kernel/collections/own-members.ts'
import { maxStartTimers } from '../../../kernel/limits/processes.ts'
import type { Check } from '../elements/element.ts'
import { elements } from '../elements/registry.ts'
import { type BpmnElement, describe, isA, sentence, typeOf } from '../shapes/bpmn-element.ts'
import type { Finding, FlowCondition, TaskDefinition } from '../shapes/compiled-process.ts'
import type { EventTriggers, LoopEvent, Trigger } from '../shapes/graph.ts'
import { implicitStarts, linksOf, type Scope } from '../shapes/scopes.ts'
import { readLoopEvents } from './read/read-loop-events.ts'

/** What the events of a document wait for and throw. */
export interface ReadEvents {
  readonly events: Readonly<Record<string, EventTriggers>>
  /** What multi-instance activities throw. */
  readonly loopEvents: Readonly<Record<string, readonly LoopEvent[]>>
  /** The start events of the process that start it when something occurs. */
  readonly starts: readonly StartTriggers[]
  /** Whether the process has a start event without any trigger. */
  readonly hasPlainStart: boolean
  readonly expressions: readonly FlowCondition[]
  readonly warnings: readonly Finding[]
}

export interface StartTriggers {
  readonly elementId: string
  readonly triggers: readonly Trigger[]
}

/**
 * Reads what events wait for and throw, and tasks that send or receive a message. `tasks`: those that people or the record
 * complete.
 */
export function readEvents(
  [outermost, ...inner]: readonly Scope[],
  tasks: Readonly<Record<string, TaskDefinition>>,
  check: Check,
): ReadEvents {
  const nodes = [outermost, ...inner].flatMap((scope) => scope?.nodes ?? [])
  const warnings: Finding[] = []
  const events: Record<string, EventTriggers> = byName()
  const loopEvents: Record<string, readonly LoopEvent[]> = byName()
  for (const node of nodes) {
    const read = isA(node, 'Event') ? triggersOf(node) : messageOf(node, tasks, warnings, check)
    if (read !== undefined && node.id !== undefined) events[node.id] = read
    const thrown = readLoopEvents(node, check)
    if (thrown.length > 0 && node.id !== undefined) loopEvents[node.id] = thrown
  }
  const starting = (outermost?.nodes ?? []).filter((node) => elements.nodeOf(node)?.isStart)
  const triggered = starting.filter(({ eventDefinitions }) => eventDefinitions?.length)
  const received = outermost === undefined ? [] : receivedAtStart(outermost, events)
  const isImplicit = starting.length === 0 && outermost !== undefined
  const timed = triggered.filter((node) => readAll(node).some(({ on }) => on === 'timer'))
  for (const node of timed.slice(maxStartTimers))
    check.report(node, `a process starts with ${maxStartTimers} timers at most; remove ${describe(node)}.`)
  return {
    events,
    loopEvents,
    warnings,
    starts: [...triggered.map((node) => ({ elementId: node.id ?? '', triggers: readAll(node) })), ...received],
    hasPlainStart: isImplicit
      ? implicitStarts(outermost).some(({ instantiate }) => instantiate !== true)
      : triggered.length === 0 || triggered.length < starting.length,
    expressions: [
      ...Object.entries(events).flatMap(([elementId, { triggers }]) => expressionsOf(elementId, triggers)),
      ...Object.entries(loopEvents).flatMap(([elementId, thrown]) =>
        thrown.flatMap(({ condition: source, triggers }) => [
          ...(source === undefined ? [] : [{ elementId, source }]),
          ...expressionsOf(elementId, triggers),
        ]),
      ),
    ],
  }
}

/** The receive tasks, and the events after event-based gateways, that start the process when they receive something. */
function receivedAtStart(scope: Scope, events: Readonly<Record<string, EventTriggers>>) {
  const { from } = linksOf(scope)
  const targets = scope.nodes
    .filter(({ instantiate }) => instantiate === true)
    .flatMap((node) =>
      isA(node, 'EventBasedGateway') ? (from.get(node) ?? []).flatMap(({ targetRef }) => targetRef ?? []) : [node],
    )
  return targets.flatMap(({ id = '' }) => {
    const triggers = own(events, id)?.triggers ?? []
    return triggers.length === 0 ? [] : [{ elementId: id, triggers }]
  })
}

const expressionsOf = (elementId: string, triggers: readonly Trigger[]): FlowCondition[] =>
  triggers.flatMap((trigger) => {
    if (trigger.on === 'conditional') return [{ elementId, source: trigger.condition }]
    return trigger.on === 'message' && trigger.key !== undefined ? [{ elementId, source: trigger.key }] : []
  })

const readAll = (event: BpmnElement): Trigger[] =>
  (event.eventDefinitions ?? []).flatMap((definition) => elements.triggerOf(definition)?.read(definition, event) ?? [])

function triggersOf(event: BpmnElement): EventTriggers | undefined {
  const definitions = event.eventDefinitions ?? []
  if (definitions.length === 0) return undefined
  return {
    triggers: readAll(event),
    ...(event.parallelMultiple === true && definitions.length > 1 && { isParallel: true }),
  }
}

/** The message of a receive task that nothing else completes, or of a send task. */
function messageOf(
  task: BpmnElement,
  tasks: Readonly<Record<string, TaskDefinition>>,
  warnings: Finding[],
  check: Check,
): EventTriggers | undefined {
  const type = typeOf(task)
  if (task.messageRef === undefined || (type !== 'receiveTask' && type !== 'sendTask')) return undefined
  const completed = own(tasks, task.id ?? '')
  if (completed !== undefined && isCompletedOtherwise(completed)) {
    warnings.push({
      elementId: task.id ?? null,
      message: sentence(
        `${describe(task)} is completed by what it says itself (wf:completeOn, an assignee, candidates or a form), so its message is not awaited.`,
      ),
    })
    return undefined
  }
  const message = elements.trigger('message')
  message?.check?.(task, task, check)
  const trigger = message?.read(task, task)
  return trigger && { triggers: [trigger] }
}

const isCompletedOtherwise = (task: TaskDefinition): boolean =>
  task.completeOn.length + task.form.length + task.outcomes.length > 0 ||
  task.assignee !== undefined ||
  task.candidateUsers.length + task.candidateRoles.length + task.candidateOrgUnits.length > 0
