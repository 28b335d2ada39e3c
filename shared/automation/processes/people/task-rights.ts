import { mayOnTable } from '../../../kernel/permissions.ts'
import type { Caller } from '../../../kernel/principal.ts'
import type { Task } from '../rows/task-row.ts'

/** What of a caller decides about the rights to a task. */
type TaskCaller = Pick<Caller, 'userId' | 'roles' | 'orgUnitIds' | 'isAdministrator' | 'permissions'>
type Assignment = Pick<Task, 'assignee' | 'candidateUsers' | 'candidateRoles' | 'candidateOrgUnits' | 'model'>

/*
 * `people`: the caller, and those for whom the caller stands in. Roles and units are the caller's own.
 */

/** Whether the task was offered to the caller: by name, by a role, or by an organisational unit. */
export const isCandidate = (
  { userId, roles, orgUnitIds }: TaskCaller,
  { candidateUsers, candidateRoles, candidateOrgUnits }: Assignment,
  people: readonly number[] = [userId],
): boolean =>
  candidateUsers.some((id) => people.includes(id)) ||
  candidateRoles.some((role) => roles.includes(role)) ||
  candidateOrgUnits.some((unit) => orgUnitIds.includes(unit))

/** Whether the task waits for the caller: assigned to them, or unassigned and offered to them. */
export const isMine = (caller: TaskCaller, task: Assignment, people: readonly number[] = [caller.userId]): boolean =>
  task.assignee === null ? isCandidate(caller, task, people) : people.includes(task.assignee)

/** Whether a task has candidates. */
export const isOffered = ({ candidateUsers, candidateRoles, candidateOrgUnits }: Assignment): boolean =>
  candidateUsers.length + candidateRoles.length + candidateOrgUnits.length > 0

/**
 * Whether nobody was asked to do the task, by the template or an administrator. Then whoever does something with it needs the
 * right to update its record, also when they have claimed it: what somebody can take is no right (docs/decisions/0104).
 */
export const needsOwnRight = (task: Assignment & Pick<Task, 'isTaken'>): boolean =>
  !isOffered(task) && (task.assignee === null || task.isTaken)

/** Whether the task was given to the caller: they were asked to do it, or delegated what they were asked to do. */
export const isGiven = (
  caller: TaskCaller,
  task: Assignment & Pick<Task, 'isTaken' | 'owner'>,
  people: readonly number[],
): boolean =>
  !needsOwnRight(task) && (isMine(caller, task, people) || (task.owner !== null && people.includes(task.owner)))

/**
 * Whether the caller may claim the task: candidates, or users who may update its table when it has no candidates; of them
 * `actingOn` asks for the record as well.
 */
export const mayClaim = (caller: TaskCaller, task: Assignment, people: readonly number[] = [caller.userId]): boolean =>
  caller.isAdministrator ||
  (isOffered(task) ? isCandidate(caller, task, people) : mayOnTable(caller, task.model, 'update'))

/**
 * Whether the caller may complete the task: its assignee, or without one, users who may claim it (docs/decisions/0031).
 */
export const mayComplete = (
  caller: TaskCaller,
  task: Assignment,
  people: readonly number[] = [caller.userId],
): boolean =>
  caller.isAdministrator || (task.assignee === null ? mayClaim(caller, task, people) : people.includes(task.assignee))

/**
 * Whether the caller decides who does the task and by when: its assignee, while it is delegated its owner, and
 * administrators.
 */
export const mayDirect = (
  caller: TaskCaller,
  { assignee, owner, delegation }: Pick<Task, 'assignee' | 'owner' | 'delegation'>,
  people: readonly number[] = [caller.userId],
): boolean => {
  const decides = delegation === 'pending' ? owner : assignee
  return caller.isAdministrator || (decides !== null && people.includes(decides))
}
