import { byName, own } from '../../../kernel/collections/own-members.ts'
import { expressionOf } from '../expressions/expression.ts'
import type { BpmnElement } from '../shapes/bpmn-element.ts'
import type { CompiledProcess, FlowCondition, TaskDefinition, WorkDefinition } from '../shapes/compiled-process.ts'
import type { EventTriggers } from '../shapes/graph.ts'
import { anything, type ProcessReads, type Read, union } from '../shapes/reads.ts'
import { linksOf, type Scope } from '../shapes/scopes.ts'
import { isFixedTime } from '../shapes/timing.ts'
import { readsOfExpression, readsOfScript, readsOfText } from './read-sources.ts'
import type { Shown } from './read/read-shown.ts'

type Described = Pick<CompiledProcess, 'tasks' | 'work' | 'mappings' | 'calls'>

/**
 * What goes into each variable of a process, and into what its elements show. Over-cautious: a script that cannot be read
 * reads everything, and may change every variable that it names. Which way a process took is no part of it.
 * `expressionsOf`: those of a node and its loop.
 */
export function collectReads(
  scopes: readonly Scope[],
  { tasks, work, mappings = {}, calls = {} }: Described,
  events: Readonly<Record<string, EventTriggers>>,
  shown: Shown,
  expressionsOf: (node: BpmnElement) => readonly FlowCondition[],
): ProcessReads {
  const variables: Record<string, readonly Read[]> = byName()
  const texts: Record<string, Record<string, readonly Read[]>> = byName()
  for (const scope of scopes) {
    const { from } = linksOf(scope)
    for (const node of scope.nodes) {
      const { id = '' } = node
      if (shown.elements.has(id)) continue
      const noteWrite = (name: string, reads: readonly Read[]): void => {
        if (reads.length > 0 && !shown.variables.has(name)) variables[name] = union(variables[name] ?? [], reads)
      }
      const show = (what: string, reads: readonly Read[]): void => {
        if (reads.length > 0) texts[id] = { ...texts[id], [what]: reads }
      }
      const task = own(tasks, id)
      const does = own(work, id)
      const call = own(calls, id)
      if (task) readTask(task, noteWrite, show)
      if (does) readWork(id, does, noteWrite)
      if (task) show('name', readsOfText(node.name))
      // What is called for its own variables: nobody knows what goes into those.
      const callsProcess = call !== undefined && call.global === undefined
      if (call?.returnsAll) noteWrite('*', anything)
      const mapping = own(mappings, id)
      for (const { target, value } of mapping?.in ?? []) noteWrite(target, readsOfExpression(value))
      for (const { target, value } of mapping?.out ?? []) {
        const reads = readsOfExpression(value)
        noteWrite(target, callsProcess && reads.length > 0 ? anything : reads)
      }
      readLoop(node, noteWrite, show)
      const timers = (node.eventDefinitions ?? [])
        .flatMap(({ timeDuration, timeDate, timeCycle }) => [timeDuration?.body, timeDate?.body, timeCycle?.body])
        .filter((time) => time !== undefined && !isFixedTime(time))
      show('due_at', union(...timers.map(readsOfBody), readsOfText(task?.dueDate)))
      const keys = (own(events, id)?.triggers ?? []).flatMap((one) => (one.on === 'message' ? (one.key ?? []) : []))
      show('correlation_key', union(...keys.map(readsOfExpression)))
      const conditions = (from.get(node) ?? []).map(({ conditionExpression }) => readsOfBody(conditionExpression?.body))
      show(
        'message',
        union(
          readsOfFailure(node, task, does, call === undefined),
          ...conditions,
          ...expressionsOf(node).map(({ source }) => readsOfExpression(source)),
          ...[...(mapping?.in ?? []), ...(mapping?.out ?? [])].map(({ value }) => readsOfExpression(value)),
        ),
      )
    }
  }
  return { variables, texts }
}

type Write = (variable: string, reads: readonly Read[]) => void
type Show = (what: string, reads: readonly Read[]) => void

const readsOfBody = (body: unknown): readonly Read[] =>
  typeof body === 'string' ? readsOfExpression(expressionOf(body)) : []

function readTask(task: TaskDefinition, noteWrite: Write, show: Show): void {
  const { form, candidateUsers, candidateRoles, candidateOrgUnits } = task
  for (const { name, bind, default: preset } of form) {
    const reads = readsOfText(preset)
    show(`form.${name}`, reads)
    if (bind === undefined) noteWrite(name, reads)
  }
  show('data', union(...form.map((one) => [...readsOfText(one.default), ...(one.bind ? [`record.${one.bind}`] : [])])))
  show('priority', readsOfText(task.priority))
  show('assignee', readsOfText(task.assignee))
  show('candidates', union(...[...candidateUsers, ...candidateRoles, ...candidateOrgUnits].map(readsOfText)))
}

function readWork(id: string, work: WorkDefinition, noteWrite: Write): void {
  if (work.kind === 'script') {
    const { reads, changes = ['*'] } = readsOfScript(work.script)
    for (const name of [...changes, ...(work.resultVariable === undefined ? [] : [work.resultVariable])])
      noteWrite(name, reads)
  }
  if (work.kind === 'decision') noteWrite(work.resultVariable, union([`decided.${id}`], readsOfText(work.decision)))
  // The record that was made, with all of its fields.
  if (work.kind === 'createRecord' && work.resultVariable !== undefined) noteWrite(work.resultVariable, anything)
}

function readLoop({ loopCharacteristics: loop }: BpmnElement, noteWrite: Write, show: Show): void {
  const items = readsOfBody(loop?.collection)
  show('item', items)
  if (typeof loop?.elementVariable === 'string') noteWrite(loop.elementVariable, items)
  if (typeof loop?.outputCollection === 'string') noteWrite(loop.outputCollection, readsOfBody(loop.outputElement))
}

/** What goes into the message of an incident beside the expressions of the node: what others check and send tells anything. */
function readsOfFailure(
  node: BpmnElement,
  task: TaskDefinition | undefined,
  work: WorkDefinition | undefined,
  isDoneHere: boolean,
): readonly Read[] {
  if (!isDoneHere) return anything
  if (work?.kind === 'script') return readsOfScript(work.script).reads
  if (work !== undefined) return work.kind === 'none' ? [] : anything
  if (task === undefined) return node.$type.endsWith('Gateway') ? [] : anything
  if (task.setFields.length + task.notifications.length > 0) return anything
  const { assignee, candidateUsers, candidateRoles, candidateOrgUnits, dueDate, priority } = task
  return union(
    ...[node.name, assignee, ...candidateUsers, ...candidateRoles, ...candidateOrgUnits, dueDate, priority].map(
      readsOfText,
    ),
  )
}
