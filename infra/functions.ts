import type { Route } from '../shared/http/define-route.ts'
import { routes as auth } from '../functions/auth/routes.ts'
import { routes as directory } from '../functions/directory/routes.ts'
import { routes as entities } from '../functions/entities/routes.ts'
import { routes as history } from '../functions/history/routes.ts'
import { routes as reference } from '../functions/reference/routes.ts'
import { routes as tables } from '../functions/tables/routes.ts'

/**
 * The catalogue of deployed functions, as data: what each is for, what it may touch, what it is told and what wakes it.
 * The stack, the bundler and the template tests read it; a right that is not written here does not exist.
 */
export interface DeployedFunction {
  /** The folder under `functions/` whose `handler.ts` is bundled. */
  readonly name: string
  readonly description: string
  readonly memoryMb: number
  readonly timeoutSeconds: number
  readonly logRetentionDays: number
  readonly trigger: Trigger
  readonly grants: readonly Grant[]
  readonly environment: readonly EnvironmentName[]
}

export type Trigger =
  | { readonly kind: 'routes'; readonly routes: readonly Route[] }
  | { readonly kind: 'stream'; readonly filter: object; readonly retryAttempts: number; readonly maxAgeHours: number }
  | { readonly kind: 'queue'; readonly queue: QueueName; readonly batchSize: number; readonly maxConcurrency: number; readonly maxReceiveCount: number }
  | { readonly kind: 'schedule'; readonly everyMinutes: number }

export type QueueName = 'removals'

export type Grant =
  | { readonly on: 'table' | 'slots'; readonly actions: readonly `dynamodb:${string}`[] }
  /** `prefix` is the start of the keys the actions are allowed on. */
  | { readonly on: 'files'; readonly prefix: `${string}/`; readonly actions: readonly `s3:${string}`[] }
  | { readonly on: QueueName; readonly actions: readonly `sqs:${string}`[] }

/** What a function may be told beside the log settings that every function gets. */
export type EnvironmentName = 'TABLE_NAME' | 'FILES_BUCKET' | 'REMOVAL_QUEUE_URL' | 'APP_MODE' | 'REGISTRATION' | 'PUBLIC_URL' | 'APP_URL'

// A transaction needs the actions of its items; there is no right of its own for it.
const recordAccess: readonly Grant[] = [
  {
    on: 'table',
    actions: [
      'dynamodb:BatchGetItem',
      'dynamodb:BatchWriteItem',
      'dynamodb:ConditionCheckItem',
      'dynamodb:DeleteItem',
      'dynamodb:GetItem',
      'dynamodb:PutItem',
      'dynamodb:Query',
      'dynamodb:UpdateItem',
    ],
  },
  { on: 'slots', actions: ['dynamodb:Query'] },
]
const sendRemovals: Grant = { on: 'removals', actions: ['sqs:SendMessage'] }

const service: readonly EnvironmentName[] = ['TABLE_NAME', 'APP_MODE', 'REGISTRATION', 'PUBLIC_URL', 'APP_URL']

/** An endpoint group. HTTP API gives up after 30 s, so a function that is still running then works for nobody. */
const endpointGroup = (name: string, description: string, routes: readonly Route[], own: Partial<DeployedFunction> = {}): DeployedFunction => ({
  name,
  description,
  memoryMb: 1024,
  timeoutSeconds: 29,
  logRetentionDays: 30,
  trigger: { kind: 'routes', routes },
  grants: recordAccess,
  environment: service,
  ...own,
})

/** A function that no caller waits for. */
const background = (
  name: string,
  description: string,
  own: Pick<DeployedFunction, 'trigger' | 'grants'> & Partial<DeployedFunction>,
): DeployedFunction => ({
  name,
  description,
  memoryMb: 512,
  timeoutSeconds: 60,
  logRetentionDays: 30,
  environment: ['TABLE_NAME'],
  ...own,
})

export const deployedFunctions: readonly DeployedFunction[] = [
  // argon2id is pure computation: 1769 MB buy a whole vCPU, so that signing in does not take a second.
  endpointGroup('auth', 'Sign in and out, registration, invitations', auth, { memoryMb: 1769 }),
  // Administrators set passwords here, so it hashes them as well.
  endpointGroup('directory', 'Users and roles of a tenant', directory, { memoryMb: 1769 }),
  endpointGroup('tables', 'Tables and their fields', tables),
  endpointGroup('entities', 'Records', entities),
  endpointGroup('history', 'History of records', history, {
    grants: [
      // The one write of a reader: authentication notes, once an hour, that the token is in use.
      { on: 'table', actions: ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:UpdateItem'] },
      { on: 'files', prefix: 'history/', actions: ['s3:GetObject'] },
    ],
    environment: [...service, 'FILES_BUCKET'],
  }),
  endpointGroup('reference', 'Health, API reference, and the answer to every unknown path', reference, { memoryMb: 512, grants: [] }),
  background('audit', 'Writes the history of every record version', {
    // Patient, for history is worth waiting for, but bounded: a record that always fails would hold up its shard.
    trigger: { kind: 'stream', filter: newImageCarries({ feed: { S: ['record'] } }), retryAttempts: 100, maxAgeHours: 12 },
    grants: [
      { on: 'table', actions: ['dynamodb:BatchWriteItem', 'dynamodb:PutItem'] },
      { on: 'files', prefix: 'history/', actions: ['s3:PutObject'] },
    ],
    environment: ['TABLE_NAME', 'FILES_BUCKET'],
  }),
  background('fan-out', "Turns changes into events on the consumers' queues", {
    trigger: { kind: 'stream', filter: newImageCarries({ feed: { S: [{ exists: true }] } }), retryAttempts: 10, maxAgeHours: 6 },
    grants: [sendRemovals],
    environment: ['TABLE_NAME', 'REMOVAL_QUEUE_URL'],
  }),
  background('removal', 'Finishes deletes: cascades of a marked record, then the record itself', {
    timeoutSeconds: 120,
    trigger: { kind: 'queue', queue: 'removals', batchSize: 5, maxConcurrency: 10, maxReceiveCount: 5 },
    grants: recordAccess,
  }),
  background('due-sweeper', 'Each minute: picks up what is due or was left behind', {
    timeoutSeconds: 55,
    trigger: { kind: 'schedule', everyMinutes: 1 },
    grants: [...recordAccess, sendRemovals],
    environment: ['TABLE_NAME', 'REMOVAL_QUEUE_URL'],
  }),
]

/** Answers what no route matches, so that even an unknown path gets the envelope. */
export const fallbackFunction = 'reference'

/** The function that works off `queue`, as the queue needs to know it; a queue without a consumer is an error. */
export function consumerOf(queue: QueueName): { readonly timeoutSeconds: number; readonly maxReceiveCount: number } {
  for (const { trigger, timeoutSeconds } of deployedFunctions) {
    if (trigger.kind === 'queue' && trigger.queue === queue) return { timeoutSeconds, maxReceiveCount: trigger.maxReceiveCount }
  }
  throw new Error(`no function consumes the queue ${queue}`)
}

/** `exists` holds on leaves only, hence the type letter in the pattern (Lambda guide, "Using the Exists operator"). */
function newImageCarries(attributes: Record<string, object>): object {
  return { dynamodb: { NewImage: attributes } }
}
