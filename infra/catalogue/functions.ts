import { backgroundFunctions } from './background-functions.ts'
import { deliveryFunctions } from './delivery-functions.ts'
import type { DeployedFunction, FunctionEntry, Grant } from './deployed-function.ts'
import { endpointGroups } from './endpoint-groups.ts'
import { incomingFunctions } from './incoming-functions.ts'
import { type QueueName, queueNames, queues, queueVariable } from './queues.ts'

/**
 * The catalogue of deployed functions: size, trigger, grants and environment of each. The stack, the bundler and the
 * template tests read it. A function has no permission that is not listed here.
 */
export const deployedFunctions: readonly DeployedFunction[] = [
  ...endpointGroups,
  ...backgroundFunctions,
  ...incomingFunctions,
  ...deliveryFunctions,
].map(withQueues)

/** A declared function with what the queues say of it: its trigger, its right to send, and where it sends to. */
function withQueues(entry: FunctionEntry): DeployedFunction {
  const consumed = queueNames.find((name) => queues[name].consumer === entry.name)
  const trigger = entry.trigger ?? (consumed && { kind: 'queue' as const, queue: consumed })
  if (!trigger)
    throw new Error(`nothing starts ${entry.name}: give it a trigger, or a queue in infra/catalogue/queues.ts`)
  const sendsTo = queueNames.filter((name) => queues[name].producers.includes(entry.name))
  const sends = sendsTo.map((on): Grant => ({ on, actions: ['sqs:SendMessage'] }))
  return {
    ...entry,
    trigger,
    grants: [...entry.grants, ...sends],
    environment: [...entry.environment, ...sendsTo.map(queueVariable)],
  }
}

/** Handles every path without a route: they are screens of the web app. */
export const fallbackFunction = 'web-app'
/** Handles every path below `/api` without a route, so unknown ones get the error envelope too. */
export const apiFallback = { name: 'api-docs', routes: [{ path: '/api/{proxy+}', method: 'ANY' }] } as const

/** How long the consumer of a queue may take. Throws for a queue without a consumer. */
export function consumerTimeoutSeconds(queue: QueueName): number {
  const consumer = deployedFunctions.find(({ trigger }) => trigger.kind === 'queue' && trigger.queue === queue)
  if (!consumer) throw new Error(`no function consumes the queue ${queue}`)
  return consumer.timeoutSeconds
}
