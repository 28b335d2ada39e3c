import { Fault } from '../../kernel/failures/faults.ts'

/** A call of `$api` with a wrong method or argument: an exception in the script, with a message for its author. */
export class InvalidApiCall extends Fault {
  constructor(message: string) {
    super('validation_failed', message)
  }
}
