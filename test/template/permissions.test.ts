import { describe, expect, it } from 'vitest'
import type { DeployedFunction, Grant } from '../../infra/catalogue/deployed-function.ts'
import { deployedFunctions } from '../../infra/catalogue/functions.ts'
import type { QueueName } from '../../infra/catalogue/queues.ts'
import { pascalCase } from '../../infra/pascal-case.ts'
import { functionNamed, type Properties, readable, resourcesOf, target, theOnly } from './synthesized.ts'

const tableId = theOnly('AWS::DynamoDB::GlobalTable').id
const tableArn = `arn:AWS::Partition:dynamodb:AWS::Region:AWS::AccountId:table/${tableId}`
const bucketId = (start: string): string =>
  resourcesOf('AWS::S3::Bucket').find(({ id }) => id.startsWith(start))?.id ?? start
const keyId = theOnly('AWS::KMS::Key').id
const queueId = (name: QueueName): string | undefined =>
  resourcesOf('AWS::SQS::Queue').find(
    ({ id, properties }) => properties.RedrivePolicy !== undefined && id.startsWith(pascalCase(name)),
  )?.id

const mailIdentities = 'arn:AWS::Partition:ses:AWS::Region:AWS::AccountId:identity/*'
const configurationSet = `arn:AWS::Partition:ses:AWS::Region:AWS::AccountId:configuration-set/${theOnly('AWS::SES::ConfigurationSet').id}`
// Without parameters nothing is there to be read.
const noSecret = 'arn:AWS::Partition:secretsmanager:AWS::Region:AWS::AccountId:secret:none'
const streams = 'arn:AWS::Partition:kinesis:*:AWS::AccountId:stream/*'
const buses = 'arn:AWS::Partition:events:AWS::Region:AWS::AccountId:event-bus/*'

/** Every wildcard in an allowed resource, with its reason. */
const allowedWildcards = [
  { resource: '*', actions: ['dynamodb:ListStreams'], reason: 'the action knows no resources' },
  { resource: '*', actions: ['cloudwatch:DescribeAlarms'], reason: 'the action knows no resources' },
  {
    resource: 'arn:AWS::Partition:lambda:AWS::Region:AWS::AccountId:function:EntityWorkflow-dev-*',
    actions: ['lambda:GetAlias', 'lambda:GetProvisionedConcurrencyConfig', 'lambda:UpdateAlias'],
    reason: 'a deployment moves the aliases of this stage',
  },
  {
    resource: 'not arn:AWS::Partition:sns:*:*:*',
    actions: ['sns:Publish'],
    reason: 'a phone number has no ARN, and topics and devices have one',
  },
  { resource: `${tableArn}/index/slot*`, actions: ['dynamodb:Query'], reason: 'the twenty slots' },
  {
    resource: mailIdentities,
    actions: ['ses:SendEmail', 'ses:SendRawEmail'],
    reason: 'tenants name their senders; SES_DOMAINS says which are theirs',
  },
  {
    resource: `${bucketId('Files')}.Arn/history/*`,
    actions: ['s3:DeleteObject', 's3:GetObject', 's3:PutObject'],
    reason: 'every key of history',
  },
  {
    resource: `${bucketId('Files')}.Arn/imports/*`,
    actions: ['s3:DeleteObject', 's3:GetObject', 's3:PutObject'],
    reason: 'rows that wait for their job',
  },
  {
    resource: `${bucketId('Files')}.Arn/processes/*`,
    actions: ['s3:DeleteObject', 's3:GetObject', 's3:PutObject'],
    reason: 'states of processes that are too large for a row',
  },
  {
    resource: `${bucketId('Files')}.Arn/deliveries/*`,
    actions: ['s3:DeleteObject', 's3:GetObject', 's3:PutObject'],
    reason: 'contents of messages that are too large for a row',
  },
  {
    resource: `${bucketId('Files')}.Arn/messages/*`,
    actions: ['s3:DeleteObject', 's3:GetObject', 's3:PutObject'],
    reason: 'contents of incoming messages that are too large for a row',
  },
  {
    resource: `${bucketId('Files')}.Arn/app/*`,
    actions: ['s3:GetObject', 's3:PutObject'],
    reason: 'files of builds of the web app',
  },
  {
    resource: `${bucketId('Files')}.Arn/exports/*`,
    actions: ['s3:AbortMultipartUpload', 's3:DeleteObject', 's3:GetObject', 's3:PutObject'],
    reason: 'files that exports make',
  },
  {
    resource: `${bucketId('Files')}.Arn/files/*`,
    actions: ['s3:DeleteObject', 's3:GetObject', 's3:PutObject'],
    reason: 'every file of every tenant',
  },
  { resource: streams, actions: ['kinesis:PutRecord'], reason: 'tenants name streams in their channels' },
  { resource: buses, actions: ['events:PutEvents'], reason: 'tenants name event buses in their channels' },
  {
    resource: `${bucketId('FailedBatches')}.Arn/*`,
    actions: ['s3:PutObject'],
    reason: 'Lambda chooses the keys of failed batches',
  },
]

const asList = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value])

const statementsOf = (roleId: string): Properties[] =>
  resourcesOf('AWS::IAM::Role')
    .filter(({ id }) => id === roleId)
    .flatMap(({ properties }) => properties.Policies as Properties[])
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)

/** The permissions of a role, one line `action resource` each. */
function permissionsOf(roleId: string): string[] {
  return statementsOf(roleId)
    .flatMap(({ Effect, Action, Resource, NotResource }) => {
      expect(Effect).toBe('Allow')
      return asList<string>(Action).flatMap((action) =>
        NotResource === undefined
          ? asList<unknown>(Resource).map((resource) => `${action} ${readable(resource)}`)
          : [`${action} not ${readable(NotResource)}`],
      )
    })
    .toSorted()
}

function expectedPermissions(entry: DeployedFunction, fn: Properties): string[] {
  const lines = (actions: readonly string[], resource: string): string[] =>
    actions.map((action) => `${action} ${resource}`)
  const logs = lines(['logs:CreateLogStream', 'logs:PutLogEvents'], `${target(fn.LoggingConfig.LogGroup)}.Arn`)
  const stream = [
    ...lines(['dynamodb:ListStreams'], '*'),
    ...lines(['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'], `${tableId}.StreamArn`),
    ...lines(['s3:ListBucket'], `${bucketId('FailedBatches')}.Arn`),
    ...lines(['s3:PutObject'], `${bucketId('FailedBatches')}.Arn/*`),
  ]
  const queue =
    entry.trigger.kind === 'queue'
      ? lines(
          [
            'sqs:ChangeMessageVisibility',
            'sqs:DeleteMessage',
            'sqs:GetQueueAttributes',
            'sqs:GetQueueUrl',
            'sqs:ReceiveMessage',
          ],
          `${queueId(entry.trigger.queue)}.Arn`,
        )
      : []
  const trigger = { stream, queue, routes: [], schedule: [] }[entry.trigger.kind]
  return [
    ...logs,
    ...trigger,
    ...entry.grants.flatMap((grant) => resourcesFor(grant).flatMap((resource) => lines(grant.actions, resource))),
  ].toSorted()
}

/** SES asks for the right to the configuration set as well. */
const resourcesFor = (grant: Grant): string[] => [
  resourceOf(grant),
  ...(grant.on === 'mail-identities' ? [configurationSet] : []),
]

function resourceOf(grant: Grant): string {
  if (grant.on === 'mail-password') return noSecret
  if (grant.on === 'table') return tableArn
  if (grant.on === 'slots') return `${tableArn}/index/slot*`
  if (grant.on === 'files') return `${bucketId('Files')}.Arn/${grant.prefix}*`
  if (grant.on === 'files-listing') return `${bucketId('Files')}.Arn`
  if (grant.on === 'failed-batches') return `${bucketId('FailedBatches')}.Arn`
  if (grant.on === 'settings-key') return `${keyId}.Arn`
  if (grant.on === 'mail-identities') return mailIdentities
  if (grant.on === 'account-streams') return streams
  if (grant.on === 'account-buses') return buses
  if (grant.on === 'phone-numbers') return 'not arn:AWS::Partition:sns:*:*:*'
  return `${queueId(grant.on)}.Arn`
}

describe('permissions', () => {
  it.each(deployedFunctions)('$name has exactly those of the catalogue and those its trigger needs', (entry) => {
    const { properties } = functionNamed(entry.name)
    expect(permissionsOf(target(properties.Role))).toEqual(expectedPermissions(entry, properties))
  })

  it('belong to one role per function, without managed policies but the one for traces', () => {
    const roles = resourcesOf('AWS::IAM::Role')
    expect(new Set(resourcesOf('AWS::Lambda::Function').map(({ properties }) => target(properties.Role))).size).toBe(
      deployedFunctions.length,
    )
    const others = roles.filter(({ properties }) => {
      const [{ Principal }] = properties.AssumeRolePolicyDocument.Statement
      return Principal.Service !== 'lambda.amazonaws.com'
    })
    expect(others.map(({ id }) => id.replace(/[0-9A-F]{8}$/, ''))).toEqual(['ApiRole', 'CanaryRole'])
    expect(roles).toHaveLength(deployedFunctions.length + others.length)
    const traces = {
      'Fn::If': ['TracingIsOn', { Ref: theOnly('AWS::IAM::ManagedPolicy').id }, { Ref: 'AWS::NoValue' }],
    }
    for (const role of roles)
      expect(role.properties.ManagedPolicyArns).toEqual(others.includes(role) ? undefined : [traces])
    // They lie in the role, so they are there before the function is.
    expect(resourcesOf('AWS::IAM::Policy')).toEqual([])
  })

  it('to use the key of settings are limited to names of settings, for every function that has them', () => {
    const statements = resourcesOf('AWS::IAM::Role').flatMap(({ id }) => statementsOf(id))
    const named = (actions: readonly string[]) => actions.some((action) => action.startsWith('kms:'))
    const found = statements.filter(({ Action }) => named(asList<string>(Action)))
    const granted = deployedFunctions.flatMap(({ grants }) => grants.filter(({ actions }) => named(actions)))
    expect(found.map(({ Condition }) => asList(Condition.StringLike['kms:EncryptionContext:name']))).toEqual(
      granted.map((grant) => (grant.on === 'settings-key' ? grant.names : undefined)),
    )
    expect(granted.length).toBeGreaterThan(0)
  })

  it('contain only the wildcards listed with a reason', () => {
    const permissions = resourcesOf('AWS::IAM::Role').flatMap(({ id }) => permissionsOf(id))
    const allowed = new Set(
      allowedWildcards.flatMap(({ resource, actions }) => actions.map((action) => `${action} ${resource}`)),
    )
    expect(permissions.filter((permission) => permission.includes('*') && !allowed.has(permission))).toEqual([])
  })
})
