import { routes as apiDocs } from '../functions/api-docs/routes.ts'
import { routes as auth } from '../functions/auth/routes.ts'
import { routes as configuration } from '../functions/configuration/routes.ts'
import { routes as directory } from '../functions/directory/routes.ts'
import { routes as files } from '../functions/files/routes.ts'
import { routes as history } from '../functions/history/routes.ts'
import { routes as importExport } from '../functions/import-export/routes.ts'
import { routes as jobs } from '../functions/jobs/routes.ts'
import { routes as processes } from '../functions/processes/routes.ts'
import { routes as records } from '../functions/records/routes.ts'
import { routes as relations } from '../functions/relations/routes.ts'
import { routes as scripts } from '../functions/scripts/routes.ts'
import { routes as tables } from '../functions/tables/routes.ts'
import type { Route } from '../shared/http/routing/define-route.ts'
import type { DeployedFunction, EnvironmentName, Grant, QueueName } from './deployed-function.ts'

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
const readSlots: Grant = { on: 'slots', actions: ['dynamodb:Query'] }
/** The one write of a reader: authentication notes, once an hour, that the token is in use. */
const readAccess: Grant = {
  on: 'table',
  actions: ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:UpdateItem'],
}
const sendCleanup: Grant = { on: 'cleanup', actions: ['sqs:SendMessage'] }
const sendSearch: Grant = { on: 'search', actions: ['sqs:SendMessage'] }
/** Whoever starts a job, or lets it go on. */
const sendJobs: Grant = { on: 'jobs', actions: ['sqs:SendMessage'] }

const sendEvaluations: Grant = { on: 'evaluations', actions: ['sqs:SendMessage'] }
/** Whoever has an instance of a process go on. */
const sendProcesses: Grant = { on: 'processes', actions: ['sqs:SendMessage'] }
/** Whoever runs processes writes records in their name, and keeps states that are too large for a row. */
const runProcesses: readonly Grant[] = [
  ...recordAccess,
  sendProcesses,
  { on: 'files', prefix: 'files/', actions: ['s3:GetObject'] },
  { on: 'files', prefix: 'history/', actions: ['s3:GetObject'] },
  { on: 'files', prefix: 'processes/', actions: ['s3:GetObject', 's3:PutObject'] },
]

/** Whoever writes records looks at the files they are to hold. */
const readFiles: Grant = { on: 'files', prefix: 'files/', actions: ['s3:GetObject'] }

/** Entries of history that are too large for a row. */
const readHistoryObjects: Grant = { on: 'files', prefix: 'history/', actions: ['s3:GetObject'] }

/** Rows that wait for their job. */
const putImports: Grant = { on: 'files', prefix: 'imports/', actions: ['s3:PutObject'] }

const service: readonly EnvironmentName[] = ['TABLE_NAME', 'APP_MODE', 'REGISTRATION', 'PUBLIC_URL', 'APP_URL']

/** An endpoint group. HTTP API gives up after 30 s, so a function that is still running then works for nobody. */
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

/**
 * The catalogue of deployed functions, as data: what each is for, what it may touch, what it is told and what wakes it.
 * The stack, the bundler and the template tests read it; a right that is not written here does not exist.
 */
export const deployedFunctions: readonly DeployedFunction[] = [
  // argon2id is pure computation: 1769 MB buy a whole vCPU, so that signing in does not take a second.
  endpointGroup('auth', 'Sign in and out, registration, invitations', auth, { memoryMb: 1769 }),
  // Administrators set passwords here, so it hashes them as well.
  endpointGroup('directory', 'Users and roles of a tenant', directory, { memoryMb: 1769 }),
  endpointGroup('tables', 'Tables and their fields', tables, {
    grants: [...recordAccess, sendJobs],
    environment: [...service, 'JOBS_QUEUE_URL'],
  }),
  endpointGroup('configuration', 'The whole configuration as one document', configuration, {
    grants: [...recordAccess, sendJobs],
    environment: [...service, 'JOBS_QUEUE_URL'],
  }),
  endpointGroup('records', 'Records', records, {
    scripts: true,
    grants: [...recordAccess, readFiles, readHistoryObjects],
    environment: [...service, 'FILES_BUCKET'],
  }),
  // Of its own: it validates thousands of rows in one request, and the S3 client would slow every cold start of `records`.
  endpointGroup('import-export', 'Import and export of records', importExport, {
    memoryMb: 1769,
    scripts: true,
    grants: [...recordAccess, sendJobs, putImports, readFiles],
    environment: [...service, 'FILES_BUCKET', 'JOBS_QUEUE_URL'],
  }),
  endpointGroup('relations', 'Many-to-many relations between records', relations),
  endpointGroup('files', 'Addresses to upload files to and fetch them from', files, {
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
      // The addresses it hands out may do what it may itself.
      { on: 'files', prefix: 'files/', actions: ['s3:GetObject', 's3:PutObject'] },
    ],
    environment: [...service, 'FILES_BUCKET'],
  }),
  endpointGroup('history', 'History of records', history, {
    grants: [readAccess, readSlots, readHistoryObjects],
    environment: [...service, 'FILES_BUCKET'],
  }),
  // A dry run stores nothing, so it may not.
  endpointGroup('scripts', 'Checks and dry runs of scripts, and the log of their runs', scripts, {
    scripts: true,
    grants: [readAccess, readSlots, readFiles],
    environment: [...service, 'FILES_BUCKET'],
  }),
  endpointGroup('processes', 'Process templates, their instances, and the tasks these have for people', processes, {
    scripts: true,
    grants: runProcesses,
    environment: [...service, 'FILES_BUCKET', 'PROCESSES_QUEUE_URL'],
  }),
  endpointGroup('jobs', 'Progress of background jobs', jobs, { memoryMb: 512, grants: [readAccess] }),
  endpointGroup('api-docs', 'Health, API reference, and the answer to every unknown path', apiDocs, {
    memoryMb: 512,
    grants: [],
  }),
  background('audit', 'Writes the history of every record version', {
    // Patient, for history is worth waiting for, but bounded: a record that always fails would hold up its shard. Many at
    // once, so that a change made during an import does not wait long behind it.
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
    grants: [sendCleanup, sendSearch, sendEvaluations, sendProcesses],
    environment: ['TABLE_NAME', 'CLEANUP_QUEUE_URL', 'SEARCH_QUEUE_URL', 'EVALUATION_QUEUE_URL', 'PROCESSES_QUEUE_URL'],
  }),
  background('search-indexer', 'Keeps search postings and value counters', {
    // Few at a time: they meet on the counters of a busy table, and a batch is as fast as its transactions.
    trigger: {
      kind: 'queue',
      queue: 'search',
      batchSize: 100,
      windowSeconds: 1,
      maxConcurrency: 4,
      maxReceiveCount: 5,
    },
    memoryMb: 1024,
    grants: [
      {
        on: 'table',
        actions: [
          'dynamodb:BatchGetItem',
          'dynamodb:BatchWriteItem',
          'dynamodb:GetItem',
          'dynamodb:PutItem',
          'dynamodb:UpdateItem',
        ],
      },
    ],
  }),
  background(
    'process-evaluation',
    'Starts processes for new records, and completes tasks whose record has what they wait for',
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
  background('process-runner', 'Takes processes on: timers that are due, starts by scripts, what was left behind', {
    timeoutSeconds: 60,
    memoryMb: 1024,
    scripts: true,
    trigger: { kind: 'queue', queue: 'processes', batchSize: 5, maxConcurrency: 10, maxReceiveCount: 5 },
    grants: runProcesses,
    environment: ['TABLE_NAME', 'FILES_BUCKET', 'PROCESSES_QUEUE_URL'],
  }),
  background('record-cleanup', 'Finishes what requests left undone: deletes, and hooks after a write', {
    timeoutSeconds: 120,
    memoryMb: 1024,
    scripts: true,
    trigger: { kind: 'queue', queue: 'cleanup', batchSize: 5, maxConcurrency: 10, maxReceiveCount: 5 },
    grants: [...recordAccess, readFiles],
    environment: ['TABLE_NAME', 'FILES_BUCKET'],
  }),
  background('job-runner', 'Works on background jobs: rebuilds of tables, imports, exports, repairs', {
    timeoutSeconds: 300,
    memoryMb: 1024,
    scripts: true,
    trigger: { kind: 'queue', queue: 'jobs', batchSize: 1, maxConcurrency: 5, maxReceiveCount: 5 },
    grants: [
      ...recordAccess,
      sendJobs,
      sendSearch,
      readFiles,
      { on: 'files', prefix: 'history/', actions: ['s3:GetObject', 's3:PutObject'] },
      { on: 'files', prefix: 'imports/', actions: ['s3:GetObject'] },
      // The address that a job hands out may do what the runner may.
      { on: 'files', prefix: 'exports/', actions: ['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload'] },
    ],
    environment: ['TABLE_NAME', 'FILES_BUCKET', 'SEARCH_QUEUE_URL', 'JOBS_QUEUE_URL', 'POWERTOOLS_METRICS_NAMESPACE'],
  }),
  background('due-sweeper', 'Each minute: picks up what is due or was left behind', {
    timeoutSeconds: 55,
    trigger: { kind: 'schedule', everyMinutes: 1 },
    grants: [readSlots, sendCleanup, sendJobs, sendProcesses],
    environment: [
      'TABLE_NAME',
      'CLEANUP_QUEUE_URL',
      'JOBS_QUEUE_URL',
      'PROCESSES_QUEUE_URL',
      'POWERTOOLS_METRICS_NAMESPACE',
    ],
  }),
  background('nightly-repair', 'Each night: has every tenant looked through for what a fault left behind', {
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
  background(
    'file-sweeper',
    'Every five minutes: removes files that nobody claims, counts batches that wait for a replay',
    {
      trigger: { kind: 'schedule', everyMinutes: 5 },
      grants: [
        { on: 'table', actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:UpdateItem'] },
        readSlots,
        { on: 'files', prefix: 'files/', actions: ['s3:DeleteObject'] },
        { on: 'failed-batches', actions: ['s3:ListBucket'] },
      ],
      environment: ['TABLE_NAME', 'FILES_BUCKET', 'FAILED_BATCHES_BUCKET', 'POWERTOOLS_METRICS_NAMESPACE'],
    },
  ),
]

/** Answers what no route matches, so that even an unknown path gets the envelope. */
export const fallbackFunction = 'api-docs'

/** The function that works off `queue`, as the queue needs to know it; a queue without a consumer is an error. */
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

/** `exists` holds on leaves only, hence the type letter in the pattern (Lambda guide, "Using the Exists operator"). */
function newImageHas(attributes: Record<string, object>): object {
  return { dynamodb: { NewImage: attributes } }
}
