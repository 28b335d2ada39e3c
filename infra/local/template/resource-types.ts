/**
 * The resource types of a template: those the local cloud runs, with their names and attributes, and those it ignores
 * (IAM, logs, alarms). Any other type is an error, so that nothing is left out silently.
 */
import { TemplateError } from './resolve-template.ts'
import type { Identity, StackLocation } from './resolve-template.ts'

export const resourceType = {
  table: 'AWS::DynamoDB::Table',
  /** What CDK's `TableV2` makes, with a replica in its own region only. */
  globalTable: 'AWS::DynamoDB::GlobalTable',
  queue: 'AWS::SQS::Queue',
  bucket: 'AWS::S3::Bucket',
  key: 'AWS::KMS::Key',
  function: 'AWS::Lambda::Function',
  functionUrl: 'AWS::Lambda::Url',
  /** Stands for its function: the local cloud runs one version. */
  alias: 'AWS::Lambda::Alias',
  eventSource: 'AWS::Lambda::EventSourceMapping',
  api: 'AWS::ApiGatewayV2::Api',
  stage: 'AWS::ApiGatewayV2::Stage',
  integration: 'AWS::ApiGatewayV2::Integration',
  route: 'AWS::ApiGatewayV2::Route',
  rule: 'AWS::Events::Rule',
  schedule: 'AWS::Scheduler::Schedule',
} as const

const ignoredTypes: readonly RegExp[] = [
  /^AWS::IAM::/,
  /^AWS::KMS::Alias$/,
  /^AWS::CloudWatch::/,
  /^AWS::Logs::/,
  /^AWS::CDK::Metadata$/,
  /^AWS::Lambda::(Permission|EventInvokeConfig|Version)$/,
  /^AWS::CodeDeploy::/,
  /^AWS::Budgets::Budget$/,
  /^AWS::SES::ConfigurationSet$/,
  /^AWS::S3::BucketPolicy$/,
  /^AWS::SQS::QueuePolicy$/,
  /^AWS::SNS::(Topic|TopicPolicy|Subscription)$/,
  /^AWS::Scheduler::ScheduleGroup$/,
  /^AWS::Backup::/,
  /^AWS::CloudFormation::CustomResource$/,
  /^Custom::/,
]

type Property = (name: string) => unknown
type Identify = (
  id: string,
  property: Property,
  location: LocalAddresses,
) => { ref: string; attributes: Record<string, string> }

export interface LocalAddresses extends StackLocation {
  /** The address of the gateway, e.g. `http://localhost:3000`. */
  readonly url: string
}

/** The path under which a function URL is served. */
export const functionUrlPath = (id: string): string => `/_local/functions/${id}/`

function identifyTable(id: string, property: Property, location: LocalAddresses): ReturnType<Identify> {
  const name = text(property('TableName')) ?? id
  const arn = `arn:aws:dynamodb:${location.region}:${location.accountId}:table/${name}`
  return { ref: name, attributes: { Arn: arn, StreamArn: `${arn}/stream/local`, TableId: name } }
}

const identifyByType: Readonly<Record<string, Identify>> = {
  [resourceType.table]: identifyTable,
  [resourceType.globalTable]: identifyTable,
  [resourceType.queue](id, property, location) {
    const fifo = String(property('FifoQueue')) === 'true'
    const name = text(property('QueueName')) ?? (fifo ? `${id}.fifo` : id)
    const url = `http://sqs.in-process/${location.accountId}/${name}`
    return {
      ref: url,
      attributes: {
        Arn: `arn:aws:sqs:${location.region}:${location.accountId}:${name}`,
        QueueName: name,
        QueueUrl: url,
      },
    }
  },
  [resourceType.bucket](id, property) {
    const name = text(property('BucketName')) ?? id.toLowerCase()
    const domain = `${name}.s3.amazonaws.com`
    return { ref: name, attributes: { Arn: `arn:aws:s3:::${name}`, DomainName: domain, RegionalDomainName: domain } }
  },
  [resourceType.key]: (id, _, location) => ({
    ref: id,
    attributes: { Arn: `arn:aws:kms:${location.region}:${location.accountId}:key/${id}`, KeyId: id },
  }),
  [resourceType.function](id, property, location) {
    const name = text(property('FunctionName')) ?? id
    return {
      ref: name,
      attributes: { Arn: `arn:aws:lambda:${location.region}:${location.accountId}:function:${name}` },
    }
  },
  [resourceType.alias]: (_, property, location) => ({
    ref: `arn:aws:lambda:${location.region}:${location.accountId}:function:${text(property('FunctionName'))}`,
    attributes: {},
  }),
  [resourceType.functionUrl](_, property, location) {
    const target = String(property('TargetFunctionArn'))
    const name = target.slice(target.lastIndexOf(':') + 1)
    return { ref: target, attributes: { FunctionArn: target, FunctionUrl: location.url + functionUrlPath(name) } }
  },
  [resourceType.api]: (id, _, location) => ({ ref: id, attributes: { ApiEndpoint: location.url, ApiId: id } }),
  [resourceType.stage]: (_, property) => ({ ref: String(property('StageName')), attributes: {} }),
  [resourceType.integration]: (id) => ({ ref: id, attributes: { IntegrationId: id } }),
  [resourceType.route]: (id) => ({ ref: id, attributes: { RouteId: id } }),
  [resourceType.eventSource]: (id) => ({ ref: id, attributes: { Id: id } }),
  [resourceType.rule]: (id, _, location) => ({
    ref: id,
    attributes: { Arn: `arn:aws:events:${location.region}:${location.accountId}:rule/${id}` },
  }),
  [resourceType.schedule]: (id, _, location) => ({
    ref: id,
    attributes: { Arn: `arn:aws:scheduler:${location.region}:${location.accountId}:schedule/default/${id}` },
  }),
}

/** The name and attributes of a resource; throws for a type that is neither run nor ignored. */
export function identifyResource(id: string, type: string, property: Property, location: LocalAddresses): Identity {
  const identify = identifyByType[type]
  if (!identify) {
    if (!ignoredTypes.some((pattern) => pattern.test(type))) {
      throw new TemplateError(`The local cloud does not run ${type} (${id}): run it, or list it as needing nothing.`)
    }
    const arn = `arn:aws:local:${location.region}:${location.accountId}:${id}`
    return { ref: id, attribute: (name) => (name === 'Arn' ? arn : `${id}.${name}`) }
  }
  const { ref, attributes } = identify(id, property, location)
  return {
    ref,
    attribute(name) {
      const value = attributes[name]
      if (value === undefined) throw new TemplateError(`The local cloud knows no attribute ${name} of ${type} (${id}).`)
      return value
    },
  }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
