import { substitutedBy } from '../../../accounts/substitutes/find-substitutes.ts'
import type { Caller } from '../../../kernel/principal.ts'
import type { ProcessDependencies } from '../dependencies.ts'
import { needsOwnRight } from '../people/task-rights.ts'
import type { Task } from '../rows/task-row.ts'
import { requireUpdate, type UpdateDependencies } from '../sight/visible-records.ts'

/** What tells whom somebody stands in for. */
export type ActingDependencies = Pick<ProcessDependencies, 'store' | 'clock'>

/** The caller, and the people for whom they stand in now. */
export const peopleOf = async (
  { store, clock }: ActingDependencies,
  { tenant, userId }: Pick<Caller, 'tenant' | 'userId'>,
): Promise<readonly number[]> => [userId, ...(await substitutedBy(store, tenant, userId, clock.now()))]

/** For whom a caller does something with a task; null: in their own right. */
export interface Acting {
  readonly actsFor: number | null
}

type ActingRule = (caller: Caller, task: Task, people: readonly number[]) => boolean

/**
 * Whether a rule lets the caller do something with a task, in their own right or as somebody's substitute; undefined when
 * it does not. A substitute who administers the company acts for the person, too. Throws Forbidden for a task that nobody was
 * asked to do, when the caller may not update its record.
 */
export async function actingOn(
  services: ActingDependencies & UpdateDependencies,
  caller: Caller,
  task: Task,
  rule: ActingRule,
): Promise<Acting | undefined> {
  const acting = await actingBy(services, caller, task, rule)
  if (acting !== undefined && needsOwnRight(task)) await requireUpdate(services, caller, task)
  return acting
}

async function actingBy(
  services: ActingDependencies,
  caller: Caller,
  task: Task,
  rule: ActingRule,
): Promise<Acting | undefined> {
  const { userId } = caller
  const isOwn = rule(caller, task, [userId])
  if (isOwn && [null, userId].includes(task.assignee)) return { actsFor: null }
  const people = await peopleOf(services, caller)
  if (!isOwn && !rule(caller, task, people)) return undefined
  const others = people.filter((id) => id !== userId)
  const theirs = [task.assignee ?? task.candidateUsers, ...(task.delegation === 'pending' ? [task.owner] : [])].flat()
  return { actsFor: theirs.find((id) => id !== null && others.includes(id)) ?? null }
}
