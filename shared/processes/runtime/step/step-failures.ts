import { Fault } from '../../../kernel/faults.ts'

/** The record of the instance does not exist any more. */
export class RecordGone extends Error {}

/** A whole step failed: the engine stopped, or the template asks for something impossible. It becomes an incident. */
export class StepFailed extends Error {
  readonly elementId: string | undefined

  constructor(message: string, elementId?: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StepFailed'
    this.elementId = elementId
  }
}

/** Runs `act`, and names the element in a fault that it throws. */
export async function withElement(elementId: string, act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (error instanceof Fault) throw new StepFailed(error.message, elementId, { cause: error })
    throw error
  }
}
