import { byName } from '../../../kernel/collections/own-members.ts'
import { Conflict, type FieldErrors, Invalid } from '../../../kernel/failures/faults.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { type ChangeProblem, modifyTokens } from '../../bpmn/changes/modify-tokens.ts'
import type { CommandRow } from '../rows/command-rows.ts'
import { type Instance, openStatusOf, type OpenWait } from '../rows/instance-row.ts'
import type { Operation } from '../rows/operation-row.ts'
import { tasksOf } from '../rows/tasks-of-waits.ts'
import { cancelledCalls } from '../steps/calls/call-rows.ts'
import type { InstanceWork } from '../steps/commit-step.ts'
import { compareWaits } from '../steps/compare-waits.ts'
import { activityWrites, closedRows, resolveIncident } from '../steps/step-writes.ts'
import { continuation, type InstanceChange } from './instance-change.ts'
import { isSuspended } from './instance-conflicts.ts'

/**
 * Moves and cancels tokens: what they waited for ends with them, and the next step enters where they go. Throws Invalid
 * that names each element with which that cannot be done, Conflict.
 */
export async function modifyInstance(
  work: InstanceWork,
  { by }: CommandRow,
  before: Instance,
  { move, cancel }: Extract<Operation, { action: 'modify' }>,
): Promise<InstanceChange> {
  const { services, tenant, open } = work
  const { clock, openProcess, store } = services
  if (before.status === 'suspended') throw isSuspended(before.id, 'none of its tokens moves')
  const state = requireState(before)
  const compiled = await openProcess(tenant, before.templateId, before.templateVersion)
  const now = clock.now()
  const changed = modifyTokens(compiled, state, { move, cancel }, now)
  if (changed.problems.length > 0) throw invalidOf(changed.problems)
  const { closed, stored } = compareWaits(before.waits, changed.waits, undefined)
  const waits = stored(new Map())
  const needless = needlessTries(work, waits)
  const stepIncidents = needless === undefined ? before.stepIncidents : []
  const after: Instance = {
    ...before,
    state: changed.state,
    variables: changed.variables,
    waits,
    stepIncidents,
    status: openStatusOf({ waits, stepIncidents }),
    steps: before.steps + (changed.events.length > 0 ? 1 : 0),
    hops: 0,
  }
  return {
    after,
    rows: [
      ...continuation(clock, tenant, after, needless === undefined ? open : { commands: [], timers: [] }, by),
      ...activityWrites(tenant, before, compiled, changed.events, { at: isoTime(now), status: after.status }),
      ...cancelledCalls(clock, tenant, closed, by),
      ...closedRows(tenant, before, closed, await tasksOf(store, tenant, closed), now),
      ...(needless ?? []).map(({ key }) => ({ remove: key })),
      ...(needless === undefined ? [] : before.stepIncidents.map((id) => resolveIncident(tenant, id, isoTime(now)))),
    ],
    details: { move, cancel },
  }
}

/** The state of an instance. Throws Conflict when its first step has failed, so that it has no tokens. */
export function requireState({ id, state }: Instance): NonNullable<unknown> {
  if (state === undefined || state === null)
    throw new Conflict(
      'instance_not_started',
      `The first step of the process instance ${id} has failed, so no token is anywhere yet. Fix the cause and retry it.`,
    )
  return state
}

/**
 * The failed steps of an instance when nothing waits for any of them any more: their incidents are over. undefined when one
 * is still to be retried.
 */
function needlessTries({ open }: InstanceWork, waits: readonly OpenWait[]): CommandRow[] | undefined {
  const isAwaited = (executionId: string): boolean => waits.some((wait) => wait.executionId === executionId)
  const parked = open.commands.filter(({ isSuspended: isParked }) => isParked)
  const timers = open.timers.filter(({ isSuspended: isParked }) => isParked)
  const isNeeded = ({ command }: CommandRow): boolean =>
    'executionId' in command ? isAwaited(command.executionId) : command.kind !== 'continue'
  if (parked.some(isNeeded) || timers.some(({ executionId }) => isAwaited(executionId))) return undefined
  return parked
}

/** The problems as a request answers them. */
export function invalidOf(problems: readonly ChangeProblem[]): Invalid {
  const errors: FieldErrors = byName()
  for (const { path, message } of problems) errors[path] = [...(errors[path] ?? []), message]
  return new Invalid(errors)
}
