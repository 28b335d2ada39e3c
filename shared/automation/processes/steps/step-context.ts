import { Fault } from '../../../kernel/failures/faults.ts'
import type { PrincipalRef } from '../../../kernel/principal.ts'
import type { Actor } from '../../../records/records/actor.ts'
import type { NotificationPort } from '../../../scripts/api/notification-port.ts'
import type { ActivityEvent, Command } from '../../bpmn/schema.ts'
import type { CompiledProcess } from '../../bpmn/shapes/compiled-process.ts'
import type { Read } from '../../bpmn/shapes/reads.ts'
import type { ProcessDependencies } from '../dependencies.ts'
import type { Evaluate } from '../evaluate/step-expressions.ts'
import type { StepScope } from '../evaluate/step-scope.ts'
import type { CompleteCommand } from '../rows/command-rows.ts'
import type { Instance, OpenWait } from '../rows/instance-row.ts'
import type { KeptDecisions } from './keep-decision.ts'

/** What a step starts from. */
export interface StepInput {
  readonly instance: Instance
  readonly compiled: CompiledProcess
  /** Commands for the engine; undefined: start. */
  readonly commands: readonly Command[] | undefined
  /** The start event that has occurred. */
  readonly startAt?: string
  readonly by: PrincipalRef
  /** The try of the command or timer that the step carries out. */
  readonly tryId: string
  readonly hops: number
  /** Fields of the record as they were before the change that led to the step. */
  readonly old?: Readonly<Record<string, unknown>>
  /** The task that was just completed. */
  readonly completed?: Pick<CompleteCommand, 'executionId' | 'task' | 'variables' | 'data'> & {
    readonly elementId: string
  }
  /** Acquires the lease and cancels the tasks of these waits. Called before every piece of work that others can see. */
  readonly acquireLease: (cancelled: readonly OpenWait[]) => Promise<void>
}

/** What the work of one step uses. */
export interface StepContext {
  readonly services: ProcessDependencies
  readonly actor: Actor
  readonly instance: Instance
  readonly tryId: string
  readonly scope: StepScope
  readonly evaluate: Evaluate
  /** What its business rule tasks decided; stored with its activities. */
  readonly decisions: KeptDecisions
  /** What went into the inputs of its decisions, by their elements. */
  readonly decided: Map<string, readonly Read[]>
  /** Collects the notifications of the step; they are stored with it. */
  readonly notifications: () => Promise<NotificationPort>
}

/**
 * What the instance waited for before the step and no longer does, without the task whose completion it carries out.
 */
export const cancelledWaits = (
  { instance, completed }: StepInput,
  isActive: (executionId: string) => boolean,
): OpenWait[] =>
  instance.waits.filter(({ executionId }) => executionId !== completed?.executionId && !isActive(executionId))

/** The record of the instance does not exist any more. */
export class RecordGone extends Error {}

interface FailureDetails extends ErrorOptions {
  readonly elementId?: string
  /** What had happened in the step before it failed. */
  readonly events?: readonly ActivityEvent[]
}

/** A whole step failed: the engine stopped, or the template asks for something impossible. It becomes an incident. */
export class StepFailed extends Error {
  readonly elementId: string | undefined
  readonly events: readonly ActivityEvent[]

  constructor(message: string, { elementId, events = [], ...options }: FailureDetails = {}) {
    super(message, options)
    this.name = 'StepFailed'
    this.elementId = elementId
    this.events = events
  }
}

/** Runs `act`, and names the element in a fault that it throws. */
export async function withElement(elementId: string, act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (error instanceof Fault) throw new StepFailed(error.message, { elementId, cause: error })
    throw error
  }
}

/** Runs `act` after the engine, and adds what happened in the engine to a failure that it throws. */
export async function keepingEvents<T>(events: readonly ActivityEvent[], act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    if (!(cause instanceof StepFailed)) throw cause
    const { elementId } = cause
    throw new StepFailed(cause.message, { ...(elementId !== undefined && { elementId }), events, cause })
  }
}
