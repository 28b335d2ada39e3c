/** Variables that name the resources of a function; the catalogue in `infra/` lists those of each function. */
export type ResourceName =
  | 'TABLE_NAME'
  | 'FILES_BUCKET'
  | 'FAILED_BATCHES_BUCKET'
  | 'SETTINGS_KEY_ARN'
  | 'CLEANUP_QUEUE_URL'
  | 'SEARCH_QUEUE_URL'
  | 'JOBS_QUEUE_URL'
  | 'EVALUATION_QUEUE_URL'
  | 'SUBSCRIPTIONS_QUEUE_URL'
  | 'PROCESSES_QUEUE_URL'
  | 'ACCOUNT_MAIL_QUEUE_URL'
  | 'EXPANSIONS_QUEUE_URL'
  | 'INCOMING_QUEUE_URL'
  | 'MAILBOXES_QUEUE_URL'
  | 'MESSENGER_QUEUE_URL'
  | 'MAILS_QUEUE_URL'
  | 'SMS_QUEUE_URL'
  | 'WEBHOOKS_QUEUE_URL'
  | 'STREAMS_QUEUE_URL'
  | 'AMQP_QUEUE_URL'
  | 'EVENTBRIDGE_QUEUE_URL'

/**
 * Answers a variable that the function needs. Throws an error that names the variable and the function when it is not
 * set.
 */
export function requireEnvironment(name: ResourceName): string {
  const value = process.env[name]
  if (value) return value
  const functionName = process.env['POWERTOOLS_SERVICE_NAME'] ?? 'this function'
  throw new Error(
    `${name} is not set for ${functionName}: add it to its environment in infra/catalogue/endpoint-groups.ts or background-functions.ts.`,
  )
}
