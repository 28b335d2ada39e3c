import { backgroundFunctions } from './background-functions.ts'
import { deliveryFunctions } from './delivery-functions.ts'
import type { DeployedFunction, QueueName } from './deployed-function.ts'
import { endpointGroups } from './endpoint-groups.ts'
import { incomingFunctions } from './incoming-functions.ts'

/**
 * The catalogue of deployed functions: size, trigger, grants and environment of each. The stack, the bundler and the
 * template tests read it. A function has no permission that is not listed here.
 */
export const deployedFunctions: readonly DeployedFunction[] = [
  ...endpointGroups,
  ...backgroundFunctions,
  ...incomingFunctions,
  ...deliveryFunctions,
]

/** Handles every path without a route, so unknown paths get the error envelope too. */
export const fallbackFunction = 'api-docs'

/** What the queue has to know about its consumer. Throws for a queue without a consumer. */
export function consumerOf(queue: QueueName): {
  readonly timeoutSeconds: number
  readonly maxReceiveCount: number
  readonly inOrder?: true
} {
  for (const { trigger, timeoutSeconds } of deployedFunctions) {
    if (trigger.kind === 'queue' && trigger.queue === queue)
      return { timeoutSeconds, maxReceiveCount: trigger.maxReceiveCount, inOrder: trigger.inOrder }
  }
  throw new Error(`no function consumes the queue ${queue}`)
}
