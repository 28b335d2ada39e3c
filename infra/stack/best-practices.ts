import { CfnGuardValidator } from '@cdklabs/cdk-validator-cfnguard'
import { type App, type Stack, Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks } from 'cdk-nag'
import type { IConstruct } from 'constructs'
import type { DataStack } from './data-stack.ts'
import type { ServiceStack } from './service-stack.ts'

export interface CheckedStacks {
  readonly data: DataStack
  readonly service: ServiceStack
  readonly monitoring: Stack
}

/**
 * Fails the synthesis on every finding of cdk-nag (AWS Solutions) and of cfn-guard (Control Tower) except those acknowledged with a reason.
 */
export function checkBestPractices(app: App, { data, service: stack, monitoring }: CheckedStacks): void {
  Validations.of(app).addPlugins(
    new AwsSolutionsChecks(app),
    new CfnGuardValidator({ disabledRules: Object.keys(acceptedControls), maxBuffer: 64 * 1024 * 1024 }),
  )
  const accept = (where: IConstruct, id: string, reason: string): void =>
    Validations.of(where).acknowledge({ id: `AwsSolutions-${id}`, reason })
  const wildcard = (resource: string, reason: string): void => accept(stack, `IAM5[Resource::${resource}]`, reason)
  /** What the service imports of the data stack, as findings write it. */
  const imported = (value: string): string => {
    const { 'Fn::ImportValue': name } = stack.resolve(data.exportValue(value)) as { 'Fn::ImportValue': string }
    return name
  }
  const tableName = { 'Fn::ImportValue': imported(data.table.tableName) }
  const table = JSON.stringify({ 'Fn::If': ['TableIsRestored', { Ref: 'RestoredTable' }, tableName] })

  const defaultsAreUnused: readonly [IConstruct, string][] = [
    [data, 'MaxReadRequestUnits and MaxWriteRequestUnits are used only when they are not 0'],
    [stack, 'RestoredTableStream is used only when it is given'],
    [monitoring, 'RestoredTable is used only when it is given'],
  ]
  for (const [where, what] of defaultsAreUnused)
    Validations.of(where).acknowledge({
      id: 'CloudFormation-Validate::W1030',
      reason: `${what}, which a condition sees to.`,
    })
  Validations.of(stack).acknowledge({
    id: 'CloudFormation-Validate::W2509',
    reason: 'MailPasswordSecret is the ARN of a secret; the password itself, MailPassword, is not echoed.',
  })
  accept(
    stack.node.findChild('Api'),
    'APIG4',
    'The functions authenticate callers: token, user and tenant are read in one call with the record.',
  )
  wildcard(
    `arn:<AWS::Partition>:dynamodb:<AWS::Region>:<AWS::AccountId>:table/${table}/index/slot*`,
    'The twenty index slots; tenants configure which field uses which.',
  )
  for (const prefix of ['files', 'history', 'imports', 'exports', 'processes', 'deliveries', 'messages'])
    wildcard(
      `${imported(data.files.bucketArn)}/${prefix}/*`,
      'Objects of all tenants; their keys are known at run time only.',
    )
  wildcard(`${imported(data.files.bucketArn)}/app/*`, 'Files of builds of the web app, named by their content.')
  const named = 'Tenants name it in their channels; the action only adds to it.'
  wildcard('arn:<AWS::Partition>:kinesis:*:<AWS::AccountId>:stream/*', named)
  wildcard('arn:<AWS::Partition>:events:<AWS::Region>:<AWS::AccountId>:event-bus/*', named)
  wildcard(`${imported(data.failedBatches.bucketArn)}/*`, 'Lambda chooses the keys of failed batches.')
  wildcard(
    'arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:identity/*',
    'Tenants name their senders in channels; SES_DOMAINS says which are theirs.',
  )
  accept(
    stack.node.findChild('MayTrace'),
    'IAM5[Resource::*]',
    'Writing traces has no resource-level permissions; the policy exists where the operator chose tracing.',
  )
  const rollout = stack.node.findChild('Canary').node.findChild('Role')
  accept(
    rollout,
    `IAM5[Resource::arn:<AWS::Partition>:lambda:<AWS::Region>:<AWS::AccountId>:function:${stack.stackName}-*]`,
    'The functions of this stage, whose aliases it moves; naming them here would make a circle of their update policies.',
  )
  accept(rollout, 'IAM5[Resource::*]', 'cloudwatch:DescribeAlarms has no resource-level permissions.')
  for (const reader of ['Audit', 'FanOut'])
    accept(
      stack.node.findChild(`${reader}FunctionRole`),
      'IAM5[Resource::*]',
      'dynamodb:ListStreams has no resource-level permissions.',
    )
}

/** Controls of AWS Control Tower that the templates do not follow, by the name of the rule, with the reason. */
const acceptedControls: Readonly<Record<string, string>> = {
  'ct-apigateway-pr-5':
    'The functions authenticate callers: token, user and tenant are read in one call with the record.',
  'ct-cloudwatch-pr-1':
    'CodeDeploy reads the alarm that takes deployments back; it notifies nobody, as its double in the monitoring stack does. Template tests hold the others to the topic.',
  'ct-cloudwatch-pr-2': 'Logs are kept for 30 days, not a year: they hold the ids of people.',
  'ct-cloudwatch-pr-3': 'CloudWatch encrypts logs with keys of its own; a key of ours is a dollar a month.',
  'ct-kms-pr-3': "The policy is CDK's default: the account decides by IAM, and no service may make grants.",
  'ct-lambda-pr-2':
    'The address of the messenger is open where the operator chooses it; its function asks for a secret.',
  'ct-lambda-pr-3': 'The functions use services with public endpoints only; a network of our own has no part in it.',
  'ct-lambda-pr-5': 'As ct-lambda-pr-2: the Bot API signs no requests.',
  'ct-s3-pr-2': 'The bucket that access logs go to does not log to itself.',
  'ct-s3-pr-4': 'Nothing waits for objects: the rows that name them are the events.',
  'ct-s3-pr-9': 'Files of a person are deleted when the person asks for it, which a lock forbids.',
  'ct-s3-pr-10': 'S3 encrypts with keys of its own; each use of a key of ours costs, and asks for another right.',
  'ct-s3-pr-11': 'Files are versioned; logs and failed batches are written once.',
  'ct-sqs-pr-1': 'Every queue has a dead-letter queue, which needs none.',
}
