import { type App, Stack, Validations } from 'aws-cdk-lib'
import type { CfnElement } from 'aws-cdk-lib'
import { AwsSolutionsChecks } from 'cdk-nag'
import type { IConstruct } from 'constructs'

/** Fails the synthesis on whatever AWS's solutions reviewers would object to, but for what is accepted here with its reason. */
export function checkBestPractices(app: App, stack: Stack): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
  const accept = (where: IConstruct, id: string, reason: string): void =>
    Validations.of(where).acknowledge({ id: `AwsSolutions-${id}`, reason })
  const wildcard = (resource: string, reason: string): void => accept(stack, `IAM5[Resource::${resource}]`, reason)
  const arnOf = (id: string): string => `<${logicalId(stack.node.findChild(id))}.Arn>`

  accept(
    stack.node.findChild('Api'),
    'APIG4',
    'Callers are checked in the function, which reads token, user and tenant in one call with the record.',
  )
  wildcard(
    `${arnOf('Table')}/index/slot*`,
    'The twenty slots of the one table; which field uses which is a matter of configuration.',
  )
  for (const prefix of ['files', 'history', 'imports', 'exports', 'processes'])
    wildcard(`${arnOf('Files')}/${prefix}/*`, 'The objects of every tenant; their keys are made at run time.')
  wildcard(`${arnOf('FailedBatches')}/*`, 'Lambda chooses the keys of failed batches.')
  for (const reader of ['Audit', 'FanOut'])
    accept(
      stack.node.findChild(`${reader}FunctionRole`),
      'IAM5[Resource::*]',
      'dynamodb:ListStreams knows no resources.',
    )
}

const logicalId = (construct: IConstruct): string =>
  Stack.of(construct).getLogicalId(construct.node.defaultChild as CfnElement)
