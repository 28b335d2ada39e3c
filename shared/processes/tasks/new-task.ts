import { isoTime } from '../../kernel/clock.ts'
import { Fault } from '../../kernel/faults.ts'
import { maxCandidates } from '../../kernel/limits/processes.ts'
import type { TaskDefinition } from '../definition/compiled-process.ts'
import { addDuration, parseMoment } from '../engine/model/timing.ts'
import type { Wait } from '../engine/schema.ts'
import type { Instance } from '../rows/instance-row.ts'
import type { Task } from '../rows/task-row.ts'
import { valueOfText, type Evaluate, type ExpressionScope } from '../runtime/step/step-expressions.ts'

/** A new pending task, with the expressions of its definition evaluated. Throws Fault when one fails. */
export async function newTask(
  id: number,
  instance: Pick<Instance, 'id' | 'model' | 'recordId'>,
  wait: Extract<Wait, { kind: 'task' }>,
  element: { readonly name: string | null },
  definition: TaskDefinition,
  {
    evaluate,
    variables,
    nowMs,
  }: { readonly evaluate: Evaluate; readonly variables: Readonly<Record<string, unknown>>; readonly nowMs: number },
): Promise<Task> {
  const at: ExpressionScope = { variables, loop: wait.loop }
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
  const candidates = users.length + roles.length + orgUnits.length
  if (candidates > maxCandidates)
    throw new Fault(
      'validation_failed',
      `The task has ${candidates} candidates, and ${maxCandidates} are possible: offer it to a role.`,
    )
  return {
    id,
    instanceId: instance.id,
    executionId: wait.executionId,
    elementId: wait.elementId,
    name: textOrNull(name),
    status: 'pending',
    model: instance.model,
    recordId: instance.recordId,
    assignee: userIdOf(assignee) ?? null,
    candidateUsers: distinct(users.map(userIdOf)),
    candidateRoles: distinct(roles.map(String)),
    candidateOrgUnits: distinct(orgUnits.map(userIdOf)),
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
  }
}

/** Reads an id from `3`, `"3"` or `user:3`; undefined for anything else. */
function userIdOf(value: unknown): number | undefined {
  const digits = /^(?:user:)?([1-9]\d{0,14})$/.exec(String(value ?? '').trim())?.[1]
  return digits === undefined ? undefined : Number(digits)
}

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
