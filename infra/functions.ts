import { routes as apiDocs } from '../functions/api-docs/routes.ts'
import { routes as auth } from '../functions/auth/routes.ts'
import { routes as channels } from '../functions/channels/routes.ts'
import { routes as configuration } from '../functions/configuration/routes.ts'
import { routes as directory } from '../functions/directory/routes.ts'
import { routes as files } from '../functions/files/routes.ts'
import { routes as history } from '../functions/history/routes.ts'
import { routes as importExport } from '../functions/import-export/routes.ts'
import { routes as jobs } from '../functions/jobs/routes.ts'
import { routes as lists } from '../functions/lists/routes.ts'
import { routes as processes } from '../functions/processes/routes.ts'
import { routes as records } from '../functions/records/routes.ts'
import { routes as relations } from '../functions/relations/routes.ts'
import { routes as scripts } from '../functions/scripts/routes.ts'
import { routes as tables } from '../functions/tables/routes.ts'
import { routes as tenant } from '../functions/tenant/routes.ts'
import type { Route } from '../shared/http/routing/define-route.ts'
import { type DeployedFunction, type EnvironmentName, mailVariables, type QueueName } from './deployed-function.ts'
import {
  openMailSettings,
  useMfaSecrets,
  openProviderSettings,
  recordAccess,
  sealSettings,
  readSlots,
  readAccess,
  sendCleanup,
  sendSearch,
  sendJobs,
  sendEvaluations,
  sendProcesses,
  sendAccountMail,
  sendExpansions,
  sendWebhooks,
  runProcesses,
  readFiles,
  readHistoryObjects,
  putImports,
  removeTenants,
} from './grants.ts'

const service: readonly EnvironmentName[] = ['TABLE_NAME', 'PUBLIC_URL']

/** An endpoint group. HTTP API gives up after 30 s, so a function that runs longer works in vain. */
const endpointGroup = (
  name: string,
  description: string,
  routes: readonly Route[],
  own: Partial<DeployedFunction> = {},
): DeployedFunction => ({
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

/** A function that no HTTP request waits for. */
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

/**
 * The catalogue of deployed functions: size, trigger, grants and environment of each. The stack, the bundler and the
 * template tests read it. A function has no permission that is not listed here.
 */
export const deployedFunctions: readonly DeployedFunction[] = [
  // argon2id is CPU-bound: 1769 MB buy one full vCPU, which keeps sign-in below a second.
  endpointGroup('auth', 'Sign in and out, registration, invitations', auth, {
    memoryMb: 1769,
    grants: [...recordAccess, openProviderSettings, useMfaSecrets, sendAccountMail],
    environment: [
      ...service,
      'SETTINGS_KEY_ARN',
      'ACCOUNT_MAIL_QUEUE_URL',
      'APP_MODE',
      'REGISTRATION',
      'APP_URL',
      'SSO_ISSUER',
      'SSO_AUDIENCE',
      'SSO_JWKS_URL',
      'SSO_GROUPS_CLAIM',
      'SSO_DOMAINS',
    ],
  }),
  // Administrators set passwords here, so this function hashes them too.
  endpointGroup('directory', 'Users, roles and API keys of a tenant', directory, { memoryMb: 1769 }),
  endpointGroup('tenant', 'Export, deletion and restore of a tenant; erasure of a user', tenant, {
    grants: [...recordAccess, sendJobs],
    environment: [...service, 'JOBS_QUEUE_URL'],
  }),
  endpointGroup('tables', 'Tables and their fields', tables, {
    grants: [...recordAccess, sendJobs],
    environment: [...service, 'JOBS_QUEUE_URL'],
  }),
  endpointGroup('configuration', 'Settings, and the whole configuration as one document', configuration, {
    grants: [...recordAccess, sendJobs, sealSettings],
    environment: [...service, 'JOBS_QUEUE_URL', 'SETTINGS_KEY_ARN'],
  }),
  // Separate from `records`: a list computes in memory, which asks for one full vCPU, and it writes nothing.
  endpointGroup('lists', 'Lists of records: filters, sorts, search and groups', lists, {
    memoryMb: 1769,
    columnMemoryMb: 256,
    grants: [readAccess, readSlots],
  }),
  endpointGroup('records', 'Single records: read, create, update, delete, restore', records, {
    scripts: true,
    grants: [...recordAccess, readFiles, readHistoryObjects],
    environment: [...service, 'FILES_BUCKET'],
  }),
  // Separate from `records`: it validates thousands of rows in one request, and the S3 client would slow down the
  // cold starts of `records`.
  endpointGroup('import-export', 'Import and export of records', importExport, {
    memoryMb: 1769,
    scripts: true,
    grants: [...recordAccess, sendJobs, putImports, readFiles],
    environment: [...service, 'FILES_BUCKET', 'JOBS_QUEUE_URL'],
  }),
  endpointGroup('relations', 'Many-to-many relations between records', relations),
  endpointGroup('files', 'Presigned URLs to upload and download files', files, {
    grants: [
      {
        on: 'table',
        actions: [
          'dynamodb:BatchGetItem',
          'dynamodb:GetItem',
          'dynamodb:PutItem',
          'dynamodb:Query',
          'dynamodb:UpdateItem',
        ],
      },
      // Presigned URLs carry the permissions of the function that signs them.
      { on: 'files', prefix: 'files/', actions: ['s3:GetObject', 's3:PutObject'] },
    ],
    environment: [...service, 'FILES_BUCKET'],
  }),
  endpointGroup('history', 'History of records', history, {
    grants: [readAccess, readSlots, readHistoryObjects],
    environment: [...service, 'FILES_BUCKET'],
  }),
  // No write access: a dry run stores nothing.
  endpointGroup('scripts', 'Checks and dry runs of scripts, and the log of their runs', scripts, {
    scripts: true,
    grants: [readAccess, readSlots, readFiles],
    environment: [...service, 'FILES_BUCKET'],
  }),
  endpointGroup('processes', 'Process templates, instances and tasks', processes, {
    scripts: true,
    grants: runProcesses,
    environment: [...service, 'FILES_BUCKET', 'PROCESSES_QUEUE_URL'],
  }),
  endpointGroup('channels', 'Outgoing channels and what was delivered through them', channels, {
    grants: [
      ...recordAccess,
      sendJobs,
      sendWebhooks,
      // A test message opens the secrets of its channel.
      { on: 'settings-key', names: ['channel.*'], actions: ['kms:Encrypt', 'kms:Decrypt'] },
    ],
    environment: [...service, 'SETTINGS_KEY_ARN', 'JOBS_QUEUE_URL', 'WEBHOOKS_QUEUE_URL'],
  }),
  endpointGroup('jobs', 'Progress of background jobs', jobs, { memoryMb: 512, grants: [readAccess] }),
  endpointGroup('api-docs', 'Health, API reference, and 404 for unknown paths', apiDocs, {
    memoryMb: 512,
    grants: [],
    environment: ['PUBLIC_URL'],
  }),
  background('audit', 'Writes the history of every record version', {
    // Many attempts, because history must not be lost, but not unlimited: a record that always fails blocks its
    // shard. Large batches keep other changes from waiting long behind an import.
    trigger: {
      kind: 'stream',
      filter: newImageHas({ feed: { S: ['record'] } }),
      batchSize: 500,
      retryAttempts: 100,
      maxAgeHours: 12,
    },
    grants: [
      { on: 'table', actions: ['dynamodb:BatchWriteItem'] },
      { on: 'files', prefix: 'history/', actions: ['s3:PutObject'] },
    ],
    environment: ['TABLE_NAME', 'FILES_BUCKET'],
  }),
  background('fan-out', "Turns changes into events on the consumers' queues", {
    trigger: {
      kind: 'stream',
      filter: newImageHas({ feed: { S: [{ exists: true }] } }),
      batchSize: 100,
      retryAttempts: 10,
      maxAgeHours: 6,
    },
    grants: [sendCleanup, sendSearch, sendEvaluations, sendProcesses, sendExpansions],
    environment: [
      'CLEANUP_QUEUE_URL',
      'SEARCH_QUEUE_URL',
      'EVALUATION_QUEUE_URL',
      'PROCESSES_QUEUE_URL',
      'EXPANSIONS_QUEUE_URL',
    ],
  }),
  background('search-indexer', 'Keeps the column index of tables in step with their records', {
    // Low concurrency: invocations contend for the end of a busy table's log.
    trigger: {
      kind: 'queue',
      queue: 'search',
      batchSize: 100,
      windowSeconds: 1,
      maxConcurrency: 4,
      maxReceiveCount: 5,
    },
    memoryMb: 1024,
    // A fold of a table with a million records takes its time.
    timeoutSeconds: 120,
    grants: [
      {
        on: 'table',
        actions: [
          'dynamodb:BatchGetItem',
          'dynamodb:BatchWriteItem',
          'dynamodb:GetItem',
          'dynamodb:PutItem',
          'dynamodb:Query',
        ],
      },
    ],
  }),
  background(
    'process-evaluation',
    'Starts processes for new records, and completes tasks whose conditions a record now meets',
    {
      timeoutSeconds: 60,
      memoryMb: 1024,
      scripts: true,
      trigger: {
        kind: 'queue',
        queue: 'evaluations',
        inOrder: true,
        batchSize: 10,
        maxConcurrency: 10,
        maxReceiveCount: 5,
      },
      grants: runProcesses,
      environment: ['TABLE_NAME', 'FILES_BUCKET', 'PROCESSES_QUEUE_URL'],
    },
  ),
  background('process-runner', 'Runs process instances: due timers, commands from scripts, interrupted steps', {
    timeoutSeconds: 60,
    memoryMb: 1024,
    scripts: true,
    trigger: { kind: 'queue', queue: 'processes', batchSize: 5, maxConcurrency: 10, maxReceiveCount: 5 },
    grants: runProcesses,
    environment: ['TABLE_NAME', 'FILES_BUCKET', 'PROCESSES_QUEUE_URL'],
  }),
  background('delivery-expansion', 'Makes a delivery for each recipient of what operations asked to send', {
    trigger: { kind: 'queue', queue: 'expansions', batchSize: 10, maxConcurrency: 10, maxReceiveCount: 5 },
    grants: [{ on: 'table', actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'] }, sendWebhooks],
    environment: ['TABLE_NAME', 'WEBHOOKS_QUEUE_URL'],
  }),
  background('delivery-webhook', 'Sends webhooks, and records what became of them', {
    // Small batches: a slow receiver holds up the rest of its batch.
    trigger: { kind: 'queue', queue: 'webhooks', batchSize: 5, maxConcurrency: 40, maxReceiveCount: 5 },
    grants: [
      {
        on: 'table',
        actions: [
          'dynamodb:BatchWriteItem',
          'dynamodb:GetItem',
          'dynamodb:PutItem',
          'dynamodb:Query',
          'dynamodb:UpdateItem',
        ],
      },
      sendWebhooks,
      { on: 'settings-key', names: ['channel.*'], actions: ['kms:Decrypt'] },
    ],
    environment: ['TABLE_NAME', 'SETTINGS_KEY_ARN', 'WEBHOOKS_QUEUE_URL'],
  }),
  background('record-cleanup', 'Completes deletes and pending hooks that a request did not finish', {
    timeoutSeconds: 120,
    memoryMb: 1024,
    scripts: true,
    trigger: { kind: 'queue', queue: 'cleanup', batchSize: 5, maxConcurrency: 10, maxReceiveCount: 5 },
    grants: [...recordAccess, readFiles],
    environment: ['TABLE_NAME', 'FILES_BUCKET'],
  }),
  background('job-runner', 'Runs background jobs: imports, exports, repairs, removals of tenants, many retries', {
    timeoutSeconds: 300,
    memoryMb: 1024,
    scripts: true,
    trigger: { kind: 'queue', queue: 'jobs', batchSize: 1, maxConcurrency: 5, maxReceiveCount: 5 },
    grants: [
      ...recordAccess,
      ...removeTenants,
      sendJobs,
      sendSearch,
      sendWebhooks,
      readFiles,
      { on: 'files', prefix: 'history/', actions: ['s3:GetObject', 's3:PutObject'] },
      { on: 'files', prefix: 'imports/', actions: ['s3:GetObject'] },
      // The presigned URL of an export carries the permissions of this function.
      { on: 'files', prefix: 'exports/', actions: ['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload'] },
    ],
    environment: [
      'TABLE_NAME',
      'FILES_BUCKET',
      'SEARCH_QUEUE_URL',
      'JOBS_QUEUE_URL',
      'WEBHOOKS_QUEUE_URL',
      'POWERTOOLS_METRICS_NAMESPACE',
    ],
  }),
  background('account-mailer', 'Mails links to people: recovery of accounts, e-mail verification, invitations', {
    // Each mail takes 15 s at most. Twelve attempts span more than the hour after which a mail is given up.
    trigger: { kind: 'queue', queue: 'account-mail', batchSize: 5, maxConcurrency: 5, maxReceiveCount: 12 },
    grants: [
      {
        on: 'table',
        actions: [
          'dynamodb:BatchGetItem',
          'dynamodb:DeleteItem',
          'dynamodb:GetItem',
          'dynamodb:PutItem',
          'dynamodb:Query',
          'dynamodb:UpdateItem',
        ],
      },
      openMailSettings,
    ],
    environment: ['TABLE_NAME', 'SETTINGS_KEY_ARN', 'PUBLIC_URL', 'APP_URL', ...mailVariables],
  }),
  background('due-sweeper', 'Each minute: wakes work that is due or was interrupted', {
    timeoutSeconds: 55,
    trigger: { kind: 'schedule', everyMinutes: 1 },
    grants: [readSlots, sendCleanup, sendJobs, sendProcesses, sendExpansions, sendWebhooks],
    environment: [
      'TABLE_NAME',
      'CLEANUP_QUEUE_URL',
      'JOBS_QUEUE_URL',
      'PROCESSES_QUEUE_URL',
      'EXPANSIONS_QUEUE_URL',
      'WEBHOOKS_QUEUE_URL',
      'POWERTOOLS_METRICS_NAMESPACE',
    ],
  }),
  background('nightly-repair', 'Each night: starts a repair for every tenant with changes', {
    timeoutSeconds: 300,
    trigger: { kind: 'schedule', everyMinutes: 24 * 60 },
    grants: [
      {
        on: 'table',
        actions: [
          'dynamodb:BatchGetItem',
          'dynamodb:GetItem',
          'dynamodb:PutItem',
          'dynamodb:Query',
          'dynamodb:UpdateItem',
        ],
      },
      readSlots,
      sendJobs,
    ],
    environment: ['TABLE_NAME', 'JOBS_QUEUE_URL'],
  }),
  background('file-sweeper', 'Every five minutes: deletes unclaimed files, counts batches that wait for a replay', {
    trigger: { kind: 'schedule', everyMinutes: 5 },
    grants: [
      { on: 'table', actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:UpdateItem'] },
      readSlots,
      { on: 'files', prefix: 'files/', actions: ['s3:DeleteObject'] },
      { on: 'failed-batches', actions: ['s3:ListBucket'] },
    ],
    environment: ['TABLE_NAME', 'FILES_BUCKET', 'FAILED_BATCHES_BUCKET', 'POWERTOOLS_METRICS_NAMESPACE'],
  }),
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

/**
 * `exists` works on leaf values only, so the pattern includes the type letter (Lambda guide, "Using the Exists
 * operator").
 */
function newImageHas(attributes: Record<string, object>): object {
  return { dynamodb: { NewImage: attributes } }
}
