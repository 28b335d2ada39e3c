/** Reads the resources of a resolved template into the definitions of tables, queues, buckets, functions and so on. */
import { join } from 'node:path'
import type { TableInput } from '../dynamodb/tables/ensure-table.ts'
import { readEventSource } from '../lambda/event-source.ts'
import type { EventSourceDefinition } from '../lambda/event-source.ts'
import type { FunctionDefinition } from '../lambda/function-instance.ts'
import { readSchedule } from '../lambda/schedules.ts'
import type { ScheduleDefinition } from '../lambda/schedules.ts'
import type { BucketDefinition } from '../s3/bucket-access.ts'
import { readPermissions, type IsAllowed } from '../sdk/iam/permissions.ts'
import type { QueueDefinition } from '../sqs/queue.ts'
import { TemplateError } from './resolve-template.ts'
import type { Resource } from './resolve-template.ts'
import { functionUrlPath, resourceType } from './resource-types.ts'

export interface Definitions {
  readonly tables: readonly TableInput[]
  readonly queues: readonly QueueDefinition[]
  readonly buckets: readonly BucketDefinition[]
  /** The ARNs of KMS keys. */
  readonly keys: readonly string[]
  readonly functions: readonly (FunctionDefinition & { readonly id: string })[]
  /** By function name. A function without a role in the template is not checked. */
  readonly permissions: ReadonlyMap<string, IsAllowed>
  /** With the path each is served under. */
  readonly functionUrls: readonly { readonly path: string; readonly functionArn: string }[]
  readonly eventSources: readonly EventSourceDefinition[]
  readonly schedules: readonly ScheduleDefinition[]
  readonly api: {
    readonly id: string
    readonly cors?: object
    readonly routes: readonly { readonly routeKey: string; readonly functionArn: string }[]
  }
}

type Properties = Readonly<Record<string, any>>

export function readDefinitions(resources: readonly Resource[], assetDirectory: string): Definitions {
  const of = (type: string): Resource[] => resources.filter((resource) => resource.type === type)
  return {
    tables: [...of(resourceType.table), ...of(resourceType.globalTable)].map(({ properties, identity }) =>
      readTable(properties, identity.ref),
    ),
    queues: of(resourceType.queue).map(({ properties, identity }) => readQueue(properties, identity.attribute('Arn'))),
    buckets: of(resourceType.bucket).map(({ properties, identity }) => readBucket(properties, identity.ref)),
    keys: of(resourceType.key).map(({ identity }) => identity.attribute('Arn')),
    functions: of(resourceType.function).map((resource) => readFunction(resource, assetDirectory)),
    permissions: readPermissions(of(resourceType.function), resources),
    functionUrls: of(resourceType.functionUrl).map(({ identity }) => {
      const functionArn = identity.attribute('FunctionArn')
      return { path: functionUrlPath(lastName(functionArn)), functionArn }
    }),
    eventSources: of(resourceType.eventSource)
      .filter(({ properties }) => String(properties['Enabled'] ?? true) === 'true')
      .map(({ id, properties }) =>
        readEventSource(id, properties, functionArnOf(resources, String(properties['FunctionName']))),
      ),
    schedules: [...of(resourceType.rule), ...of(resourceType.schedule)]
      .map(readSchedule)
      .filter((schedule) => schedule !== undefined),
    api: readApi(of(resourceType.api), of(resourceType.stage), of(resourceType.integration), of(resourceType.route)),
  }
}

/** A CreateTable request with its time to live. */
function readTable(properties: Properties, name: string): TableInput {
  const { StreamSpecification: stream } = properties
  return {
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: properties['KeySchema'],
    AttributeDefinitions: properties['AttributeDefinitions'],
    ...(properties['GlobalSecondaryIndexes'] && {
      GlobalSecondaryIndexes: properties['GlobalSecondaryIndexes'].map(withoutThroughput),
    }),
    ...(properties['LocalSecondaryIndexes'] && { LocalSecondaryIndexes: properties['LocalSecondaryIndexes'] }),
    ...(stream && { StreamSpecification: { StreamEnabled: true, StreamViewType: stream.StreamViewType } }),
    ...(properties['TimeToLiveSpecification'] && { TimeToLiveSpecification: properties['TimeToLiveSpecification'] }),
  }
}

const withoutThroughput = ({ IndexName, KeySchema, Projection }: Properties): object => ({
  IndexName,
  KeySchema,
  Projection,
})

const readBucket = (properties: Properties, name: string): BucketDefinition => ({
  name,
  corsRules: properties['CorsConfiguration']?.CorsRules ?? [],
})

function readQueue(properties: Properties, arn: string): QueueDefinition {
  const seconds = (name: string, unset: number): number => Number(properties[name] ?? unset) * 1000
  const redrive = properties['RedrivePolicy']
  return {
    name: lastName(arn),
    arn,
    fifo: String(properties['FifoQueue'] ?? false) === 'true',
    contentBasedDeduplication: String(properties['ContentBasedDeduplication'] ?? false) === 'true',
    visibilityMs: seconds('VisibilityTimeout', 30),
    delayMs: seconds('DelaySeconds', 0),
    receiveWaitMs: seconds('ReceiveMessageWaitTimeSeconds', 0),
    retentionMs: seconds('MessageRetentionPeriod', 345_600),
    maxMessageBytes: Number(properties['MaximumMessageSize'] ?? 1_048_576),
    ...(redrive && {
      redrive: { deadLetterArn: String(redrive.deadLetterTargetArn), maxReceiveCount: Number(redrive.maxReceiveCount) },
    }),
  }
}

function readFunction(
  { id, properties, identity }: Resource,
  assetDirectory: string,
): FunctionDefinition & { id: string } {
  const code = properties['Code'] as { S3Key?: string } | undefined
  if (!code?.S3Key) throw new TemplateError(`The code of the function ${id} is not an asset.`)
  const { Variables: environment = {} } = (properties['Environment'] ?? {}) as { Variables?: Record<string, unknown> }
  return {
    id,
    name: identity.ref,
    arn: identity.attribute('Arn'),
    codeDirectory: join(assetDirectory, `asset.${lastName(code.S3Key, '/').replace(/\.zip$/, '')}`),
    handler: String(properties['Handler'] ?? 'index.handler'),
    environment: Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)])),
    timeoutMs: Number(properties['Timeout'] ?? 3) * 1000,
    memoryMb: Number(properties['MemorySize'] ?? 128),
    mayLoop: properties['RecursiveLoop'] === 'Allow',
  }
}

function readApi(
  apis: readonly Resource[],
  stages: readonly Resource[],
  integrations: readonly Resource[],
  routes: readonly Resource[],
): Definitions['api'] {
  const [api, second] = apis
  if (second)
    throw new TemplateError(`The local cloud runs one HTTP API, but the template has ${api!.id} and ${second.id}.`)
  const named = stages.find(({ properties }) => properties['StageName'] !== '$default')
  if (named)
    throw new TemplateError(`The local cloud serves the stage $default only, but ${named.id} has another name.`)
  const functionArns = new Map(integrations.map(({ id, properties }) => [id, readIntegration(id, properties)]))
  return {
    id: api?.id ?? 'none',
    cors: api?.properties['CorsConfiguration'] as object | undefined,
    routes: routes.map(({ id, properties }) => {
      const functionArn = functionArns.get(lastName(String(properties['Target']), '/'))
      if (!functionArn) throw new TemplateError(`The route ${id} has no integration in the template.`)
      return { routeKey: String(properties['RouteKey']), functionArn }
    }),
  }
}

/** The function's ARN, which an integration may wrap into an API Gateway action. */
function readIntegration(id: string, properties: Properties): string {
  if (properties['IntegrationType'] !== 'AWS_PROXY' || String(properties['PayloadFormatVersion']) !== '2.0') {
    throw new TemplateError(`The local cloud runs AWS_PROXY integrations with payload format 2.0 only: ${id}.`)
  }
  const uri = String(properties['IntegrationUri'])
  return /\/functions\/(.+)\/invocations$/.exec(uri)?.[1] ?? uri
}

/** A mapping names its function by name or by ARN. */
function functionArnOf(resources: readonly Resource[], nameOrArn: string): string {
  const name = lastName(nameOrArn)
  const found = resources.find(({ type, identity }) => type === resourceType.function && identity.ref === name)
  if (!found) throw new TemplateError(`The template has no function ${nameOrArn}.`)
  return found.identity.attribute('Arn')
}

const lastName = (text: string, separator = ':'): string => text.slice(text.lastIndexOf(separator) + 1)
