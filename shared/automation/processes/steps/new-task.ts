import { Fault } from '../../../kernel/failures/faults.ts'
import { maxCandidates } from '../../../kernel/limits/processes.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import type { Wait } from '../../bpmn/schema.ts'
import type { TaskDefinition } from '../../bpmn/shapes/compiled-process.ts'
import { addDuration, parseMoment } from '../../bpmn/shapes/timing.ts'
import { type Evaluate, type ExpressionScope, valueOfText } from '../evaluate/step-expressions.ts'
import { readId, readUserReference } from '../people/task-people.ts'
import type { Instance } from '../rows/instance-row.ts'
import { type ScopeRef, type Task, untouched } from '../rows/task-row.ts'

/** How much of a wrong value a message quotes. */
const maxQuoted = 100

/** A new pending task, with the expressions of its definition evaluated. Throws Fault when one fails. */
export async function newTask(
  id: number,
  instance: Pick<Instance, 'id' | 'model' | 'recordId'>,
  wait: Extract<Wait, { kind: 'task' }>,
  element: { readonly name: string | null },
  definition: TaskDefinition,
  {
    evaluate,
    at,
    nowMs,
    findUser,
    isNoted,
    scopesAround,
  }: {
    readonly evaluate: Evaluate
    /** What its expressions see. */
    readonly at: ExpressionScope
    readonly nowMs: number
    /** The id of the active user with a mail address. */
    readonly findUser: (address: string) => Promise<number | undefined>
    /** Another task names its element in `wf:fourEyes`. */
    readonly isNoted: boolean
    /** The sub-processes around it. */
    readonly scopesAround: () => readonly ScopeRef[]
  },
): Promise<Task> {
  const value = (text: string | undefined) => (text === undefined ? undefined : valueOfText(text, evaluate, at))
  const list = async (texts: readonly string[]): Promise<unknown[]> =>
    (await Promise.all(texts.map(value))).flat().filter((one) => one !== null && one !== undefined && one !== '')
  const [assignee, users, roles, orgUnits, due, priority, name] = await Promise.all([
    value(definition.assignee),
    list(definition.candidateUsers),
    list(definition.candidateRoles),
    list(definition.candidateOrgUnits),
    value(definition.dueDate),
    value(definition.priority),
    value(element.name ?? undefined),
  ])
  const userOf = async (given: unknown, attribute: string): Promise<number | undefined> => {
    const named = readUserReference(given)
    if (named === undefined) throw noUser(attribute, given, 'neither the id nor the address of a user')
    return typeof named === 'number' ? named : findUser(named)
  }
  const candidates = users.length + roles.length + orgUnits.length
  if (candidates > maxCandidates)
    throw new Fault(
      'validation_failed',
      `The task has ${candidates} candidates, and ${maxCandidates} are possible: offer it to a role.`,
    )
  const isAssigned = assignee !== null && assignee !== undefined && assignee !== ''
  const assigneeId = isAssigned ? await userOf(assignee, 'wf:assignee') : undefined
  if (isAssigned && assigneeId === undefined) throw noUser('wf:assignee', assignee, 'the address of no active user')
  // A candidate who has left cannot claim the task; the others can.
  const candidateUsers = distinct(await Promise.all(users.map((user) => userOf(user, 'wf:candidateUsers'))))
  if (users.length > 0 && candidateUsers.length + roles.length + orgUnits.length === 0 && !isAssigned)
    throw noUser('wf:candidateUsers', users.join(', '), 'the address of no active user')
  return {
    id,
    instanceId: instance.id,
    executionId: wait.executionId,
    elementId: wait.elementId,
    name: textOrNull(name),
    status: 'pending',
    model: instance.model,
    recordId: instance.recordId,
    assignee: assigneeId ?? null,
    candidateUsers,
    candidateRoles: distinct(roles.map(String)),
    candidateOrgUnits: distinct(orgUnits.map(unitOf)),
    dueAt: dueTime(due, nowMs),
    priority: textOrNull(priority),
    formKey: definition.formKey ?? null,
    form: definition.form,
    outcomes: definition.outcomes,
    outcome: null,
    createdAt: isoTime(nowMs),
    completedAt: null,
    completedBy: null,
    loop: wait.loop ?? null,
    ...untouched,
    fourEyes: definition.fourEyes ?? null,
    isNoted,
    scopes: isNoted || definition.fourEyes !== undefined ? scopesAround() : [],
  }
}

/** The id of an org unit. Throws Fault for anything else. */
function unitOf(given: unknown): number {
  const id = readId(given)
  if (id === undefined) throw noUser('wf:candidateOrgUnits', given, 'not the id of an org unit')
  return id
}

const noUser = (attribute: string, given: unknown, what: string): Fault =>
  new Fault('validation_failed', `${attribute} is "${String(given).slice(0, maxQuoted)}", which is ${what}.`)

const textOrNull = (value: unknown): string | null => (value === undefined || value === null ? null : String(value))

const distinct = <T>(values: readonly (T | undefined)[]): T[] =>
  [...new Set(values)].filter((value) => value !== undefined)

/** Reads a duration from now, or a date and time; null for anything else. */
function dueTime(value: unknown, nowMs: number): string | null {
  if (value === undefined || value === null || value === '') return null
  const text = String(value).trim()
  const moment = addDuration(nowMs, text) ?? parseMoment(text)
  return moment === undefined ? null : isoTime(moment)
}
