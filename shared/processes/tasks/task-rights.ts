import { mayOnTable } from '../../kernel/permissions.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { Task } from '../rows/task-row.ts'

/** As much of a caller as decides about a task. */
type TaskCaller = Pick<Caller, 'userId' | 'roles' | 'orgUnitIds' | 'isAdministrator' | 'permissions'>
type Whose = Pick<Task, 'assignee' | 'candidateUsers' | 'candidateRoles' | 'candidateOrgUnits' | 'model'>

/** Whether the task was offered to the caller: by name, by a role, or by an organisational unit. */
export const isCandidate = (
  { userId, roles, orgUnitIds }: TaskCaller,
  { candidateUsers, candidateRoles, candidateOrgUnits }: Whose,
): boolean =>
  candidateUsers.includes(userId) ||
  candidateRoles.some((role) => roles.includes(role)) ||
  candidateOrgUnits.some((unit) => orgUnitIds.includes(unit))

/** Whether the task waits for the caller: it is theirs, or nobody's yet and offered to them. */
export const isMine = (caller: TaskCaller, task: Whose): boolean =>
  task.assignee === null ? isCandidate(caller, task) : task.assignee === caller.userId

const isOffered = ({ candidateUsers, candidateRoles, candidateOrgUnits }: Whose): boolean =>
  candidateUsers.length + candidateRoles.length + candidateOrgUnits.length > 0

/** Whether the template names nobody: then the permission on its table decides. */
export const isForEverybody = (task: Whose): boolean => task.assignee === null && !isOffered(task)

/** Whether the caller may take the task: candidates, or, when it was offered to nobody, whoever may change records of its table. */
export const mayClaim = (caller: TaskCaller, task: Whose): boolean =>
  caller.isAdministrator || (isOffered(task) ? isCandidate(caller, task) : mayOnTable(caller, task.model, 'update'))

/** Whether the caller may complete the task: its assignee; while it has none, whoever may take it. */
export const mayComplete = (caller: TaskCaller, task: Whose): boolean =>
  caller.isAdministrator || (task.assignee === null ? mayClaim(caller, task) : task.assignee === caller.userId)
