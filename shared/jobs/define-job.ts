import type * as z from 'zod'
import type { Caller, PrincipalRef } from '../kernel/principal.ts'
import type { Tenant } from '../kernel/tenancy.ts'
import type { JobError } from './schema.ts'

/** Whoever started a job, as its row keeps them: with the roles of then, which a step may not exceed. */
export type JobStarter = PrincipalRef & Pick<Caller, 'roles' | 'isAdministrator'>

/** What a step may know of the job it is part of. */
export interface JobRun {
  readonly id: number
  /** As the tenant stands now: read anew before each step. */
  readonly tenant: Tenant
  readonly actor: JobStarter
  /** The step may have been begun before, and broken off anywhere. */
  readonly isRepeat: boolean
  /** True when the step should save what it has and end. */
  timeIsUp(): boolean
}

interface Progress {
  /** How much this step worked off. */
  readonly worked?: number
  /** Or how much all steps together did, should a step know better. */
  readonly done?: number
  readonly total?: number
  /** Errors of this step; the job keeps those of all steps. */
  readonly errors?: readonly JobError[]
}

/** What a step answers: where to go on (at once, or after a pause), or how it ended. */
export type JobStep<State> = Progress &
  (
    | { readonly state: State; readonly pauseMs?: number }
    | { readonly ended: 'done' | 'failed'; readonly result?: unknown }
  )

/** A kind of job as the runner knows it. */
export interface JobKind {
  readonly kind: string
  readonly step: (run: JobRun, input: unknown, state: unknown) => Promise<JobStep<unknown>>
}

/**
 * Declares a kind of job: one step of some seconds, called until it answers that the job has ended. What it answered is
 * saved before the next one begins, so a crash repeats at most one step: a step must bear being repeated from the state it
 * was given (undefined at first). A Fault ends the job as failed; any other error is tried again, a few times.
 */
export const defineJob = <I extends z.ZodType, State>(
  kind: string,
  input: I,
  step: (run: JobRun, input: z.output<I>, state: State | undefined) => Promise<JobStep<State>>,
): JobKind => ({ kind, step: (run, given, state) => step(run, input.parse(given), state as State | undefined) })
