import { CfnGuardValidator } from '@cdklabs/cdk-validator-cfnguard'
import { type App, type Stack, Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks } from 'cdk-nag'
import type { IConstruct } from 'constructs'
import { acceptedControls } from './accepted-controls.ts'
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
