import { Fault } from '../../../../kernel/failures/faults.ts'
import type { ActivityEvent } from '../../engine/schema.ts'

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
