import type * as z from 'zod'
import type { Caller, PrincipalRef } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { JobError } from './schema.ts'

/** The principal that started a job, as stored in its row. Steps may not exceed the roles of that time. */
export type JobStarter = PrincipalRef & Pick<Caller, 'roles' | 'isAdministrator'>

/** The job as one of its steps sees it. */
export interface JobRun {
  readonly id: number
  /** The current tenant, read again before each step. */
  readonly tenant: Tenant
  readonly actor: JobStarter
  /** True when the step should return what it has so far. */
  timeIsUp(): boolean
}

interface Progress {
  /** How much this step did. */
  readonly worked?: number
  /** Instead of `worked`: how much all steps together did. */
  readonly done?: number
  readonly total?: number
  /** Errors of this step; they are appended to those of the job. */
  readonly errors?: readonly JobError[]
}

/**
 * What a step returns: the state of the next step, which runs at once or after a pause, or how the job ended.
 * `removed`: the step removed the row of its own job, so nothing is saved.
 */
export type JobStep<State> = Progress &
  (
    | { readonly state: State; readonly pauseMs?: number }
    | { readonly ended: 'done' | 'failed'; readonly result?: unknown }
    | { readonly ended: 'removed'; readonly result?: never }
  )

/** A kind of job. */
export interface JobKind {
  readonly kind: string
  readonly step: (run: JobRun, input: unknown, state: unknown) => Promise<JobStep<unknown>>
  /**
   * Undoes what the job left half done when it fails in any way but by an outcome of its step. Answers the result of the
   * job. When it throws, it is called again later.
   */
  readonly giveUp?: (run: JobRun, input: unknown) => Promise<unknown>
  /** Runs also while its tenant is deleted. Jobs of other kinds pause until the tenant is restored. */
  readonly whenDeleted?: true
}

/**
 * Declares a kind of job by its step, which takes some seconds and runs until it returns `ended`. Its outcome is saved
 * before the next step begins, so a crash repeats at most one step: steps must be idempotent. The first `state` is
 * undefined. A Fault fails the job; any other error is retried a few times.
 */
export const defineJob = <I extends z.ZodType, State>(
  kind: string,
  input: I,
  step: (run: JobRun, input: z.output<I>, state: State | undefined) => Promise<JobStep<State>>,
  {
    giveUp,
    ...options
  }: Pick<JobKind, 'whenDeleted'> & { readonly giveUp?: (run: JobRun, input: z.output<I>) => Promise<unknown> } = {},
): JobKind => ({
  kind,
  step: (run, given, state) => step(run, input.parse(given), state as State | undefined),
  ...(giveUp && { giveUp: (run, given) => giveUp(run, input.parse(given)) }),
  ...options,
})
