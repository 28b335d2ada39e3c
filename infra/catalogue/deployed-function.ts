import type { SenderRight, SenderVariable } from '../../shared/messages/channels/schema.ts'
import type { Route } from '../../shared/platform/http/routing/define-route.ts'
import type { QueueName, QueueVariable } from './queues.ts'

/** A function of the catalogue (`functions.ts`): its size, trigger, grants and environment. */
export interface DeployedFunction extends Omit<FunctionEntry, 'environment'> {
  readonly trigger: Trigger
  readonly environment: readonly (EnvironmentName | QueueVariable)[]
}

/** A function as its declaration has it: what follows from `queues.ts` is not repeated there. */
export interface FunctionEntry {
  /** The folder under `functions/api`, `stream`, `queue` or `schedule` whose `handler.ts` is bundled. */
  readonly name: string
  readonly description: string
  readonly memoryMb: number
  readonly timeoutSeconds: number
  /** Left out by the consumer of a queue. */
  readonly trigger?: Trigger
  readonly grants: readonly Grant[]
  readonly environment: readonly EnvironmentName[]
  /** How much of its memory the columns of tables may take, if it lists a lot. */
  readonly columnMemoryMb?: number
  /** Runs tenants' scripts: the sandbox worker and its engine are shipped with the bundle. */
  readonly scripts?: true
  /** Serves the web app, which is built and shipped beside the bundle. */
  readonly webApp?: true
  /**
   * A new version gets all requests at once. A canary draws the version of each request anew: the page would be of one version
   * and its files of another.
   */
  readonly isReplacedAtOnce?: true
  /** Folders that are shipped beside the bundle: where each lies in the repository, by its name there. */
  readonly folders?: Readonly<Record<string, string>>
  /**
   * It may get an address of its own beside its routes, if the operator chooses so: senders reach it without API Gateway and
   * its limits, so at most so many of its instances run.
   */
  readonly functionUrl?: { readonly maxConcurrency: number }
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
  | { readonly kind: 'queue'; readonly queue: QueueName }
  | { readonly kind: 'schedule'; readonly everyMinutes: number }
  /** UTC. */
  | { readonly kind: 'schedule'; readonly dailyAt: { readonly hour: number; readonly minute: number } }

export type Grant =
  | { readonly on: 'table' | 'slots'; readonly actions: readonly `dynamodb:${string}`[] }
  /** `prefix`: the actions are allowed on keys that start with it. */
  | { readonly on: 'files'; readonly prefix: `${string}/`; readonly actions: readonly `s3:${string}`[] }
  | { readonly on: QueueName; readonly actions: readonly `sqs:${string}`[] }
  | SenderRight
  /** The password at the mail server of the operator, if the stack was given one. */
  | { readonly on: 'mail-password'; readonly actions: readonly 'secretsmanager:GetSecretValue'[] }
  /** The bucket itself, not its objects. */
  | { readonly on: 'failed-batches' | 'files-listing'; readonly actions: readonly 's3:ListBucket'[] }

/** The mail server of the deployment, as `shared/platform/mail/mail-settings.ts` reads it. */
export const mailVariables = [
  'MAIL_HOST',
  'MAIL_PORT',
  'MAIL_USERNAME',
  'MAIL_PASSWORD',
  'MAIL_ENCRYPTION',
  'MAIL_FROM_ADDRESS',
  'MAIL_FROM_NAME',
] as const
export type MailVariable = (typeof mailVariables)[number]

/** Environment variables a function may ask for. Every function also gets the log settings. */
export type EnvironmentName =
  | 'TABLE_NAME'
  | 'FILES_BUCKET'
  | 'FAILED_BATCHES_BUCKET'
  | 'SETTINGS_KEY_ARN'
  | SenderVariable
  | 'REGISTRATION'
  | 'EMAIL_VERIFICATION'
  | 'SSO_ISSUER'
  | 'SSO_AUDIENCE'
  | 'SSO_JWKS_URL'
  | 'SSO_GROUPS_CLAIM'
  | 'SSO_DOMAINS'
  | 'PUBLIC_URL'
  | 'PURGE_READ_UNITS'
  | 'TENANT_REQUESTS_PER_SECOND'
  | 'TRUSTED_PROXIES'
  /** The base address at which the messenger reaches the service. */
  | 'MESSENGER_URL'
  | 'APP_URL'
  | MailVariable
  /** The ARN of a secret in place of `MAIL_PASSWORD`: whoever may look at the function does not see it. */
  | 'MAIL_PASSWORD_SECRET'
  /** For functions that publish their own metrics. */
  | 'POWERTOOLS_METRICS_NAMESPACE'
