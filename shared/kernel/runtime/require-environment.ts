/** Variables that name the resources of a function; the catalogue in `infra/` lists those of each function. */
type ResourceName = 'TABLE_NAME' | 'FILES_BUCKET' | 'FAILED_BATCHES_BUCKET' | 'SETTINGS_KEY_ARN' | QueueVariable

/** The address of a queue; the catalogue in `infra/` lists who sends to each. */
export type QueueVariable = `${string}_QUEUE_URL`

/**
 * Answers a variable that the function needs. Throws an error that names the variable and the function when it is not
 * set.
 */
export function requireEnvironment(name: ResourceName): string {
  const value = process.env[name]
  if (value) return value
  const functionName = process.env['POWERTOOLS_SERVICE_NAME'] ?? 'this function'
  const remedy = name.endsWith('_QUEUE_URL')
    ? 'add it to the producers of the queue in infra/catalogue/queues.ts.'
    : 'add it to its environment in infra/catalogue/endpoint-groups.ts or background-functions.ts.'
  throw new Error(`${name} is not set for ${functionName}: ${remedy}`)
}
