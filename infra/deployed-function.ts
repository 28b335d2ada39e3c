import type { Route } from '../shared/http/routing/define-route.ts'

/** A function as the catalogue (`functions.ts`) describes it: what it is for, what it may touch, what it is told, what wakes it. */
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
  /** Runs tenants' scripts: the sandbox's thread and its engine lie beside the bundle. */
  readonly scripts?: true
}

export type Trigger =
  | { readonly kind: 'routes'; readonly routes: readonly Route[] }
  | {
      readonly kind: 'stream'
      readonly filter: object
      readonly batchSize: number
      readonly retryAttempts: number
      readonly maxAgeHours: number
    }
  | {
      readonly kind: 'queue'
      readonly queue: QueueName
      /** In order within each group, which one invocation at a time works on. */
      readonly inOrder?: true
      readonly batchSize: number
      /** How long a batch that is not full waits for more. */
      readonly windowSeconds?: number
      readonly maxConcurrency: number
      readonly maxReceiveCount: number
    }
  | { readonly kind: 'schedule'; readonly everyMinutes: number }

export type QueueName = 'cleanup' | 'search' | 'jobs' | 'evaluations' | 'processes'

export type Grant =
  | { readonly on: 'table' | 'slots'; readonly actions: readonly `dynamodb:${string}`[] }
  /** `prefix` is the start of the keys the actions are allowed on. */
  | { readonly on: 'files'; readonly prefix: `${string}/`; readonly actions: readonly `s3:${string}`[] }
  | { readonly on: QueueName; readonly actions: readonly `sqs:${string}`[] }
  /** The bucket itself, not what is in it. */
  | { readonly on: 'failed-batches'; readonly actions: readonly 's3:ListBucket'[] }

/** What a function may be told beside the log settings that every function gets. */
export type EnvironmentName =
  | 'TABLE_NAME'
  | 'FILES_BUCKET'
  | 'FAILED_BATCHES_BUCKET'
  | 'CLEANUP_QUEUE_URL'
  | 'SEARCH_QUEUE_URL'
  | 'JOBS_QUEUE_URL'
  | 'EVALUATION_QUEUE_URL'
  | 'PROCESSES_QUEUE_URL'
  | 'APP_MODE'
  | 'REGISTRATION'
  | 'PUBLIC_URL'
  | 'APP_URL'
  /** For functions that measure something of their own. */
  | 'POWERTOOLS_METRICS_NAMESPACE'
