/** Why the service is unhealthy: the database takes no writes (a full disk, a throttle), or it does not answer as it should. */
export type UnhealthyStatus = 'database_refuses_writes' | 'database_fails'

const messageOf: Record<UnhealthyStatus, string> = {
  database_refuses_writes:
    'The database takes no writes at the moment, so requests that write are answered 503. The service continues by itself when it does; its log says why it does not.',
  database_fails: 'The database does not answer as it should. The log of the service has the error.',
}

/** The answer of the health check of a service that cannot do its work: 503 with `Retry-After`. */
export class Unhealthy extends Error {
  override readonly name = 'Unhealthy'
  readonly status: UnhealthyStatus
  readonly retryAfterSeconds = 5

  constructor(status: UnhealthyStatus, options?: ErrorOptions) {
    super(messageOf[status], options)
    this.status = status
  }
}
