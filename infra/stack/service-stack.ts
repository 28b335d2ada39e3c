import { CfnOutput, Fn, Lazy, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
import { CfnConfigurationSet } from 'aws-cdk-lib/aws-ses'
import type { Construct } from 'constructs'
import type { DeployedFunction } from '../catalogue/deployed-function.ts'
import { apiFallback, consumerTimeoutSeconds, deployedFunctions, fallbackFunction } from '../catalogue/functions.ts'
import { type QueueName, queueNames, queues, queueVariable } from '../catalogue/queues.ts'
import { routeKeysOf } from '../catalogue/route-keys.ts'
import type { WatchedResources } from '../monitoring/alarms.ts'
import { metricsNamespace } from '../monitoring/metrics.ts'
import { pascalCase } from '../pascal-case.ts'
import { subscribeToChanges } from './change-feed.ts'
import type { DataStack } from './data-stack.ts'
import { addDirectAddress } from './direct-address.ts'
import { GradualRollout } from './gradual-rollout.ts'
import { ServiceHttpApi } from './http-api.ts'
import { runBySchedule } from './schedules.ts'
import { ServiceFunction } from './service-function.ts'
import { StackParameters } from './stack-parameters.ts'
import { tableInUse } from './table-in-use.ts'
import { traceFunctions } from './tracing.ts'
import { refusePlainHttp, WorkQueue } from './work-queue.ts'

export interface ServiceStackProps {
  /** Names and tags the stack, so that one account can hold several stages. */
  readonly stage: string
  readonly version: string
  /** The output directory of `buildFunctions`. */
  readonly bundles: string
  /** Changes with each deployment. */
  readonly deployedAt: string
  readonly data: Pick<DataStack, 'table' | 'files' | 'failedBatches' | 'settingsKey'>
}

/**
 * API Gateway routes requests to one Lambda function per endpoint group, over the single table of the data stack. Its stream feeds
 * `audit` and `fan-out`; queues with dead-letter queues carry idempotent work; schedules run the sweepers.
 */
export class ServiceStack extends Stack {
  /** What the monitoring stack reads; the table in use it finds by itself. */
  readonly watched: Omit<WatchedResources, 'table'>

  constructor(scope: Construct, id: string, { stage, version, bundles, data, deployedAt }: ServiceStackProps) {
    super(scope, id, {
      description: 'Multi-tenant workflow platform',
      tags: { service: 'entity-workflow', stage },
    })
    const parameters = new StackParameters(this)
    const { files, failedBatches, settingsKey } = data
    const table = tableInUse(this, 'Table', data.table, parameters)
    const workQueues = Object.fromEntries(
      queueNames.map((name) => [
        name,
        new WorkQueue(this, pascalCase(name), queues[name], consumerTimeoutSeconds(name)),
      ]),
    ) as Record<QueueName, WorkQueue>
    refusePlainHttp(this, Object.values(workQueues))
    const logs = new LogGroup(this, 'Logs', {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    const api = new ServiceHttpApi(this, 'Api', { corsOrigins: parameters.corsOrigins })

    // It costs nothing, so it is there though the sends may not name it.
    const configurationSet = new CfnConfigurationSet(this, 'SentMails', {
      reputationOptions: { reputationMetricsEnabled: true },
    })
    const publicUrl = parameters.publicUrl(api.endpoint)
    let messengerAddress: string | undefined
    const environment: Record<DeployedFunction['environment'][number], string> = {
      ...Object.fromEntries(queueNames.map((name) => [queueVariable(name), workQueues[name].queue.queueUrl])),
      TABLE_NAME: table.tableName,
      FILES_BUCKET: files.bucketName,
      FAILED_BATCHES_BUCKET: failedBatches.bucketName,
      SETTINGS_KEY_ARN: settingsKey.keyArn,
      APP_MODE: parameters.appMode,
      REGISTRATION: parameters.registration,
      EMAIL_VERIFICATION: parameters.emailVerification,
      PUBLIC_URL: publicUrl,
      // The function does not exist yet.
      MESSENGER_URL: parameters.messengerUrl(Lazy.string({ produce: () => messengerAddress }), publicUrl),
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
      PURGE_READ_UNITS: parameters.purgeReadUnits,
      TENANT_REQUESTS_PER_SECOND: parameters.tenantRequestsPerSecond,
      TRUSTED_PROXIES: parameters.trustedProxies,
      SES_CONFIGURATION_SET: Fn.conditionIf(parameters.countsBySes.logicalId, configurationSet.ref, '').toString(),
      ...parameters.mail,
      MAIL_PASSWORD_SECRET: parameters.mailPasswordSecret.arn,
      POWERTOOLS_METRICS_NAMESPACE: metricsNamespace(this),
    }
    const grantable = {
      table,
      files,
      failedBatches,
      settingsKey,
      configurationSetArn: this.formatArn({
        service: 'ses',
        resource: 'configuration-set',
        resourceName: configurationSet.ref,
      }),
      mailPasswordArn: parameters.mailPasswordSecret.readableArn,
    }
    const functions: WatchedResources['functions'][number][] = []
    const routeKeys = routeKeysOf(deployedFunctions)
    for (const entry of deployedFunctions) {
      const fn = new ServiceFunction(this, entry, {
        bundles,
        version,
        logLevel: parameters.logLevel,
        logs,
        environment,
        deployedAt,
      })
      fn.allow(entry.grants, { ...grantable, ...workQueues })
      functions.push({ entry, fn })
      const { trigger } = entry
      if (trigger.kind === 'routes') api.addRoutes(routeKeys.get(entry.name) ?? [], fn)
      if (entry.functionUrl)
        messengerAddress = addDirectAddress(fn, parameters.messengerDirect, entry.functionUrl.maxConcurrency)
      if (trigger.kind === 'stream') subscribeToChanges(table, fn, trigger, failedBatches)
      if (trigger.kind === 'queue')
        workQueues[trigger.queue].consumeBy(fn, queues[trigger.queue], parameters.production)
      if (trigger.kind === 'schedule') runBySchedule(fn, trigger)
      if (entry.name === fallbackFunction) api.addFallback(fn)
      if (entry.name === apiFallback.name) api.addRoutes(apiFallback.routes, fn)
    }

    traceFunctions(
      this,
      'MayTrace',
      functions.map(({ fn }) => fn),
      parameters.isTraced,
    )
    this.watched = { service: this, http: api.http, queues: workQueues, functions, logs }
    new GradualRollout(
      this,
      'Canary',
      functions.map(({ fn }) => fn),
      { http: api.http, isAtOnce: parameters.rollsOutAtOnce },
    )

    new CfnOutput(this, 'ApiUrl', { value: api.endpoint, description: 'Base address of the API' })
    new CfnOutput(this, 'TableName', { value: table.tableName, description: 'The table in use' })
    new CfnOutput(this, 'FilesBucketName', { value: files.bucketName })
    new CfnOutput(this, 'FailedBatchesBucket', {
      value: failedBatches.bucketName,
      description: 'Batches of changes that audit or fan-out gave up on',
    })
    for (const name of queueNames)
      new CfnOutput(this, `${pascalCase(name)}DlqUrl`, {
        value: workQueues[name].deadLetters.queueUrl,
        description: queues[name].deadLetters,
      })
  }
}
