/** What a deployment tells a function about its resources; `infra/functions.ts` lists the names that each function gets. */
export type ResourceName =
  | 'TABLE_NAME'
  | 'FILES_BUCKET'
  | 'FAILED_BATCHES_BUCKET'
  | 'CLEANUP_QUEUE_URL'
  | 'SEARCH_QUEUE_URL'
  | 'JOBS_QUEUE_URL'
  | 'EVALUATION_QUEUE_URL'
  | 'PROCESSES_QUEUE_URL'

/** A variable that the function cannot work without. Throws naming the variable and the function when it is not set. */
export function requireEnvironment(name: ResourceName): string {
  const value = process.env[name]
  if (value) return value
  const functionName = process.env['POWERTOOLS_SERVICE_NAME'] ?? 'this function'
  throw new Error(`${name} is not set for ${functionName}: add it to its environment in infra/functions.ts.`)
}
