import { background } from './background.ts'
import { type FunctionEntry, mailVariables } from './deployed-function.ts'
import {
  keepRefreshTokens,
  openMailSettings,
  putContents,
  readContents,
  readFiles,
  readHistoryObjects,
  readMessages,
  readSlots,
  recordAccess,
  removeTenants,
  runProcesses,
  sendBySes,
  writeAccess,
} from './grants.ts'

/** The functions that consume changes and queues, and those that run by a schedule. */
export const backgroundFunctions: readonly FunctionEntry[] = [
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
    grants: [],
    environment: [],
  }),
  background('search-indexer', 'Keeps the column index of tables in step with their records', {
    memoryMb: 1024,
    // A fold of a table with a million records takes its time.
    timeoutSeconds: 120,
    grants: [
      readSlots,
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
      readMessages,
    ],
    environment: ['TABLE_NAME', 'FILES_BUCKET'],
  }),
  background('rollup-keeper', 'Keeps the rollups of records in step with the records that refer to them', {
    memoryMb: 1024,
    grants: [
      readSlots,
      {
        on: 'table',
        actions: ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:UpdateItem'],
      },
    ],
  }),
  background(
    'process-evaluation',
    'Starts processes for new records, and completes tasks whose conditions a record now meets',
    {
      // A message may take 22 s.
      timeoutSeconds: 60,
      memoryMb: 1024,
      scripts: true,
      grants: runProcesses,
      environment: ['TABLE_NAME', 'FILES_BUCKET'],
    },
  ),
  background('subscription-evaluation', 'Tells changes of records to channels and people who are subscribed to them', {
    grants: [writeAccess, readHistoryObjects, putContents],
    // Mails to people name the record with its link.
    environment: ['TABLE_NAME', 'FILES_BUCKET', 'PUBLIC_URL', 'APP_URL'],
  }),
  background('process-runner', 'Runs process instances: due timers, commands from scripts, interrupted steps', {
    timeoutSeconds: 60,
    memoryMb: 1024,
    scripts: true,
    grants: runProcesses,
    environment: ['TABLE_NAME', 'FILES_BUCKET'],
  }),
  background('delivery-expansion', 'Makes a delivery for each recipient of what operations asked to send', {
    grants: [writeAccess, readContents, putContents],
    environment: ['TABLE_NAME', 'FILES_BUCKET', 'PUBLIC_URL', 'APP_URL'],
  }),
  background('record-cleanup', 'Completes deletes and pending hooks that a request did not finish', {
    timeoutSeconds: 120,
    memoryMb: 1024,
    scripts: true,
    grants: [...recordAccess, readFiles, putContents],
    environment: ['TABLE_NAME', 'FILES_BUCKET'],
  }),
  background(
    'job-runner',
    'Runs background jobs: imports, exports, configurations, repairs, removals of tenants, many retries',
    {
      timeoutSeconds: 300,
      memoryMb: 1024,
      scripts: true,
      grants: [
        ...recordAccess,
        ...removeTenants,
        readFiles,
        putContents,
        { on: 'files', prefix: 'history/', actions: ['s3:GetObject', 's3:PutObject'] },
        { on: 'files', prefix: 'processes/', actions: ['s3:GetObject', 's3:PutObject'] },
        { on: 'files', prefix: 'imports/', actions: ['s3:GetObject', 's3:PutObject'] },
        // The presigned URL of an export carries the permissions of this function.
        { on: 'files', prefix: 'exports/', actions: ['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload'] },
      ],
      environment: ['TABLE_NAME', 'FILES_BUCKET', 'PURGE_READ_UNITS', 'POWERTOOLS_METRICS_NAMESPACE'],
    },
  ),
  background('account-mailer', 'Mails links to people: recovery of accounts, e-mail verification, invitations', {
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
      keepRefreshTokens,
      { on: 'mail-password', actions: ['secretsmanager:GetSecretValue'] },
      sendBySes,
    ],
    environment: [
      'TABLE_NAME',
      'SETTINGS_KEY_ARN',
      'PUBLIC_URL',
      'APP_URL',
      'APP_MODE',
      'SES_DOMAINS',
      'SES_CONFIGURATION_SET',
      ...mailVariables,
      'MAIL_PASSWORD_SECRET',
    ],
  }),
  background('due-sweeper', 'Each minute: wakes work that is due or was interrupted', {
    timeoutSeconds: 55,
    trigger: { kind: 'schedule', everyMinutes: 1 },
    grants: [{ on: 'table', actions: ['dynamodb:UpdateItem'] }, readSlots],
    environment: ['TABLE_NAME', 'POWERTOOLS_METRICS_NAMESPACE'],
  }),
  background('nightly-repair', 'Each night: starts a repair for every tenant with changes', {
    timeoutSeconds: 300,
    // 02:30 UTC: night in Europe, where the service is deployed.
    trigger: { kind: 'schedule', dailyAt: { hour: 2, minute: 30 } },
    grants: [writeAccess, readSlots],
    environment: ['TABLE_NAME'],
  }),
  background('file-sweeper', 'Every five minutes: deletes unclaimed files, counts batches that wait for a replay', {
    trigger: { kind: 'schedule', everyMinutes: 5 },
    grants: [
      { on: 'table', actions: ['dynamodb:DeleteItem', 'dynamodb:Query', 'dynamodb:UpdateItem'] },
      readSlots,
      { on: 'files', prefix: 'files/', actions: ['s3:DeleteObject'] },
      { on: 'failed-batches', actions: ['s3:ListBucket'] },
    ],
    environment: ['TABLE_NAME', 'FILES_BUCKET', 'FAILED_BATCHES_BUCKET', 'POWERTOOLS_METRICS_NAMESPACE'],
  }),
]

/**
 * `exists` works on leaf values only, so the pattern includes the type letter (Lambda guide, "Using the Exists
 * operator").
 */
function newImageHas(attributes: Record<string, object>): object {
  return { dynamodb: { NewImage: attributes } }
}
