import type { PrincipalRef } from '../../../kernel/principal.ts'
import type { Task } from '../rows/task-row.ts'

/**
 * Everybody who counts as having done a task that somebody does now: who does it, who acts as them, whom they do it for,
 * its owner, and its delegates.
 */
export const peopleOfCompletion = (
  { owner, workers, substitutedFor }: Pick<Task, 'owner' | 'workers' | 'substitutedFor'>,
  { userId, impersonatorId }: PrincipalRef,
  actsFor?: number | null,
): number[] =>
  [...new Set([userId, impersonatorId, actsFor, owner, substitutedFor, ...workers])].filter(
    (id): id is number => typeof id === 'number' && id !== 0,
  )
