/**
 * What a process provides that runs the functions of many tenants at once. It publishes itself before it loads a bundle;
 * a function that has its process for itself, as on AWS, finds none.
 */
export interface ProcessHost {
  /** The options of the SDK client of a service, beside our own. */
  clientOptions(service: string): Record<string, unknown>
  /** Milliseconds since 1970; a test may have moved them ahead. */
  now(): number
  /** Ends when it is the caller's turn again to compute. */
  giveWay(): Promise<void>
}

export const processHost = (): ProcessHost | undefined =>
  (globalThis as Record<symbol, ProcessHost | undefined>)[Symbol.for('process-host')]
