import { mayOnTable } from '../../../kernel/permissions.ts'
import type { Caller } from '../../../kernel/principal.ts'
import type { Task } from '../rows/task-row.ts'

/** What of a caller decides about the rights to a task. */
type TaskCaller = Pick<Caller, 'userId' | 'roles' | 'orgUnitIds' | 'isAdministrator' | 'permissions'>
type Assignment = Pick<Task, 'assignee' | 'candidateUsers' | 'candidateRoles' | 'candidateOrgUnits' | 'model'>

/** Whether the task was offered to the caller: by name, by a role, or by an organisational unit. */
export const isCandidate = (
  { userId, roles, orgUnitIds }: TaskCaller,
  { candidateUsers, candidateRoles, candidateOrgUnits }: Assignment,
): boolean =>
  candidateUsers.includes(userId) ||
  candidateRoles.some((role) => roles.includes(role)) ||
  candidateOrgUnits.some((unit) => orgUnitIds.includes(unit))

/** Whether the task waits for the caller: assigned to them, or unassigned and offered to them. */
export const isMine = (caller: TaskCaller, task: Assignment): boolean =>
  task.assignee === null ? isCandidate(caller, task) : task.assignee === caller.userId

/** Whether a task has candidates. */
export const isOffered = ({ candidateUsers, candidateRoles, candidateOrgUnits }: Assignment): boolean =>
  candidateUsers.length + candidateRoles.length + candidateOrgUnits.length > 0

/** Whether the task has neither assignee nor candidates: then the permission on its table decides. */
export const isUnrestricted = (task: Assignment): boolean => task.assignee === null && !isOffered(task)

/** Whether the caller may claim the task: candidates, or users who may update its table when it has no candidates. */
export const mayClaim = (caller: TaskCaller, task: Assignment): boolean =>
  caller.isAdministrator || (isOffered(task) ? isCandidate(caller, task) : mayOnTable(caller, task.model, 'update'))

/**
 * Whether the caller may complete the task: its assignee, or without one, users who may claim it (docs/decisions/0031).
 */
export const mayComplete = (caller: TaskCaller, task: Assignment): boolean =>
  caller.isAdministrator || (task.assignee === null ? mayClaim(caller, task) : task.assignee === caller.userId)

/**
 * Whether the caller decides who does the task and by when: its assignee, while it is delegated its owner, and
 * administrators.
 */
export const mayDirect = (
  caller: TaskCaller,
  { assignee, owner, delegation }: Pick<Task, 'assignee' | 'owner' | 'delegation'>,
): boolean => caller.isAdministrator || (delegation === 'pending' ? owner : assignee) === caller.userId
