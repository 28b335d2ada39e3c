import { CfnOutput, Lazy, Stack } from 'aws-cdk-lib'
import { FunctionUrlAuthType } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import type { EnvironmentName, QueueName } from '../catalogue/deployed-function.ts'
import { consumerOf, deployedFunctions, fallbackFunction } from '../catalogue/functions.ts'
import { routeKeysOf } from '../catalogue/route-keys.ts'
import { Alarms, type WatchedResources } from '../monitoring/alarms.ts'
import { addDashboard } from '../monitoring/dashboard.ts'
import { metricsNamespace } from '../monitoring/metrics.ts'
import { pascalCase } from '../pascal-case.ts'
import { AccessLogsBucket, FilesBucket, FailedBatchesBucket } from './buckets.ts'
import { subscribeToChanges } from './change-feed.ts'
import { DataTable } from './data-table.ts'
import { ServiceHttpApi } from './http-api.ts'
import { runBySchedule } from './schedules.ts'
import { ServiceFunction } from './service-function.ts'
import { SettingsKey } from './settings-key.ts'
import { StackParameters } from './stack-parameters.ts'
import { WorkQueue } from './work-queue.ts'

export interface ServiceStackProps {
  /** Names and tags the stack, so that one account can hold several stages. */
  readonly stage: string
  readonly version: string
  /** The output directory of `buildFunctions`. */
  readonly bundles: string
}

/**
 * API Gateway routes requests to one Lambda function per endpoint group, over a single table. Its stream feeds
 * `audit` and `fan-out`; queues with dead-letter queues carry idempotent work; schedules run the sweepers.
 */
export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, { stage, version, bundles }: ServiceStackProps) {
    super(scope, id, {
      description: 'Multi-tenant workflow platform',
      terminationProtection: true,
      tags: { service: 'entity-workflow', stage },
    })
    const parameters = new StackParameters(this)
    const table = new DataTable(this, 'Table')
    const accessLogs = new AccessLogsBucket(this, 'AccessLogs')
    const files = new FilesBucket(this, 'Files', parameters, accessLogs)
    const failedBatches = new FailedBatchesBucket(this, 'FailedBatches', accessLogs)
    const settingsKey = new SettingsKey(this, 'SettingsKey')
    const queues = {
      cleanup: new WorkQueue(this, 'Cleanup', consumerOf('cleanup')),
      search: new WorkQueue(this, 'Search', consumerOf('search')),
      jobs: new WorkQueue(this, 'Jobs', consumerOf('jobs')),
      evaluations: new WorkQueue(this, 'Evaluations', consumerOf('evaluations')),
      subscriptions: new WorkQueue(this, 'Subscriptions', consumerOf('subscriptions')),
      processes: new WorkQueue(this, 'Processes', consumerOf('processes')),
      'account-mail': new WorkQueue(this, 'AccountMail', consumerOf('account-mail')),
      expansions: new WorkQueue(this, 'Expansions', consumerOf('expansions')),
      incoming: new WorkQueue(this, 'Incoming', consumerOf('incoming')),
      mailboxes: new WorkQueue(this, 'Mailboxes', consumerOf('mailboxes')),
      messenger: new WorkQueue(this, 'Messenger', consumerOf('messenger')),
      mails: new WorkQueue(this, 'Mails', consumerOf('mails')),
      sms: new WorkQueue(this, 'Sms', consumerOf('sms')),
      webhooks: new WorkQueue(this, 'Webhooks', consumerOf('webhooks')),
      streams: new WorkQueue(this, 'Streams', consumerOf('streams')),
      amqp: new WorkQueue(this, 'Amqp', consumerOf('amqp')),
      eventbridge: new WorkQueue(this, 'Eventbridge', consumerOf('eventbridge')),
    }
    const api = new ServiceHttpApi(this, 'Api', { corsOrigins: parameters.corsOrigins })

    const publicUrl = parameters.publicUrl(api.endpoint)
    let inboundUrl: string | undefined
    const environment: Record<EnvironmentName, string> = {
      TABLE_NAME: table.tableName,
      FILES_BUCKET: files.bucketName,
      FAILED_BATCHES_BUCKET: failedBatches.bucketName,
      SETTINGS_KEY_ARN: settingsKey.keyArn,
      CLEANUP_QUEUE_URL: queues.cleanup.queue.queueUrl,
      SEARCH_QUEUE_URL: queues.search.queue.queueUrl,
      JOBS_QUEUE_URL: queues.jobs.queue.queueUrl,
      EVALUATION_QUEUE_URL: queues.evaluations.queue.queueUrl,
      SUBSCRIPTIONS_QUEUE_URL: queues.subscriptions.queue.queueUrl,
      PROCESSES_QUEUE_URL: queues.processes.queue.queueUrl,
      ACCOUNT_MAIL_QUEUE_URL: queues['account-mail'].queue.queueUrl,
      EXPANSIONS_QUEUE_URL: queues.expansions.queue.queueUrl,
      INCOMING_QUEUE_URL: queues.incoming.queue.queueUrl,
      MAILBOXES_QUEUE_URL: queues.mailboxes.queue.queueUrl,
      MESSENGER_QUEUE_URL: queues.messenger.queue.queueUrl,
      MAILS_QUEUE_URL: queues.mails.queue.queueUrl,
      SMS_QUEUE_URL: queues.sms.queue.queueUrl,
      WEBHOOKS_QUEUE_URL: queues.webhooks.queue.queueUrl,
      STREAMS_QUEUE_URL: queues.streams.queue.queueUrl,
      AMQP_QUEUE_URL: queues.amqp.queue.queueUrl,
      EVENTBRIDGE_QUEUE_URL: queues.eventbridge.queue.queueUrl,
      APP_MODE: parameters.appMode,
      REGISTRATION: parameters.registration,
      EMAIL_VERIFICATION: parameters.emailVerification,
      PUBLIC_URL: publicUrl,
      // The function does not exist yet.
      MESSENGER_URL: parameters.messengerUrl(Lazy.string({ produce: () => inboundUrl }), publicUrl),
      APP_URL: parameters.appUrl,
      SSO_ISSUER: parameters.sso.issuer,
      SSO_AUDIENCE: parameters.sso.audience,
      SSO_JWKS_URL: parameters.sso.jwksUrl,
      SSO_GROUPS_CLAIM: parameters.sso.groupsClaim,
      SSO_DOMAINS: parameters.sso.domains,
      SES_DOMAINS: parameters.sesDomains,
      STREAM_OWNERS: parameters.streamOwners,
      EVENT_BUS_OWNERS: parameters.eventBusOwners,
      SMS_TENANTS: parameters.smsTenants,
      ...parameters.mail,
      POWERTOOLS_METRICS_NAMESPACE: metricsNamespace(this),
    }
    const functions: WatchedResources['functions'][number][] = []
    const routeKeys = routeKeysOf(deployedFunctions)
    for (const entry of deployedFunctions) {
      const fn = new ServiceFunction(this, entry, { bundles, version, logLevel: parameters.logLevel, environment })
      fn.allow(entry.grants, { table, files, failedBatches, settingsKey, ...queues })
      functions.push({ entry, fn })
      const { trigger } = entry
      if (trigger.kind === 'routes') api.addRoutes(routeKeys.get(entry.name) ?? [], fn)
      // Open to everybody, as its routes are: they check secrets of their own.
      if (entry.functionUrl) inboundUrl = fn.addFunctionUrl({ authType: FunctionUrlAuthType.NONE }).url
      if (trigger.kind === 'stream') subscribeToChanges(table, fn, trigger, failedBatches)
      if (trigger.kind === 'queue') queues[trigger.queue].consumeBy(fn, trigger)
      if (trigger.kind === 'schedule') runBySchedule(fn, trigger)
      if (entry.name === fallbackFunction) api.addFallback(fn)
    }

    const watched: WatchedResources = { http: api.http, queues, functions }
    const alarms = new Alarms(this, 'Alarms', watched, parameters)
    addDashboard(this, 'Dashboard', watched, table, alarms)

    new CfnOutput(this, 'ApiUrl', { value: api.endpoint, description: 'Base address of the API' })
    new CfnOutput(this, 'TableName', { value: table.tableName })
    new CfnOutput(this, 'FilesBucketName', { value: files.bucketName })
    new CfnOutput(this, 'FailedBatchesBucket', {
      value: failedBatches.bucketName,
      description: 'Batches of changes that audit or fan-out gave up on',
    })
    new CfnOutput(this, 'AlarmTopic', {
      value: alarms.topic.topicArn,
      description: 'SNS topic that every alarm notifies',
    })
    for (const name of Object.keys(deadLetters) as QueueName[])
      new CfnOutput(this, `${pascalCase(name)}DlqUrl`, {
        value: queues[name].deadLetters.queueUrl,
        description: deadLetters[name],
      })
  }
}

/** What is in the dead-letter queue of each queue. */
const deadLetters: Readonly<Record<QueueName, string>> = {
  cleanup: 'Deletes and pending hooks that record-cleanup could not finish',
  search: 'Changes that are missing in lists and searches',
  jobs: 'Wake-ups of jobs that job-runner failed on',
  evaluations: 'Changes that process-evaluation failed on',
  subscriptions: 'Changes that subscription-evaluation failed on',
  processes: 'Wake-ups of process instances that process-runner failed on',
  'account-mail': 'Mails of accounts that account-mailer failed on',
  expansions: 'Intents that delivery-expansion failed on',
  incoming: 'Messages whose rules incoming-rules failed on',
  mailboxes: 'Mailboxes that mailbox-fetch failed on',
  messenger: 'Wake-ups of messages that delivery-messenger failed on',
  mails: 'Wake-ups of mails that delivery-email failed on',
  sms: 'Wake-ups of text messages that delivery-sms failed on',
  webhooks: 'Wake-ups of webhooks that delivery-webhook failed on',
  streams: 'Wake-ups of stream records that delivery-stream failed on',
  amqp: 'Wake-ups of messages that delivery-amqp failed on',
  eventbridge: 'Wake-ups of events that delivery-eventbridge failed on',
}
