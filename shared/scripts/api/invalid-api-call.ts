import { Fault } from '../../kernel/faults.ts'

/** A call of `$api` that no service could answer: an exception in the script, with a text for its author. */
export class InvalidApiCall extends Fault {
  constructor(message: string) {
    super('validation_failed', message)
  }
}
