import { Aws, type CfnCondition, Fn } from 'aws-cdk-lib'
import { CfnManagedPolicy, type CfnRole, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { CfnFunction } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import type { ServiceFunction } from './service-function.ts'

/**
 * Lambda's own traces of every function while the condition holds: how long an invocation waited, started and ran. All roles
 * share one policy.
 */
export function traceFunctions(
  scope: Construct,
  id: string,
  functions: readonly ServiceFunction[],
  isOn: CfnCondition,
): void {
  const policy = new CfnManagedPolicy(scope, id, {
    description: 'Sends traces to X-Ray',
    policyDocument: new PolicyDocument({
      statements: [
        new PolicyStatement({
          actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
          // X-Ray knows no resources to write to.
          resources: ['*'],
        }),
      ],
    }),
  })
  policy.cfnOptions.condition = isOn
  for (const { node, role } of functions) {
    // Overrides, because the L2 properties take no condition. The role names the policy, so it is there before the function
    // is, which Lambda would refuse to trace without the right.
    const ownRole = role?.node.defaultChild as CfnRole
    ownRole.addPropertyOverride('ManagedPolicyArns', [Fn.conditionIf(isOn.logicalId, policy.ref, Aws.NO_VALUE)])
    const fn = node.defaultChild as CfnFunction
    fn.addPropertyOverride('TracingConfig.Mode', Fn.conditionIf(isOn.logicalId, 'Active', 'PassThrough'))
  }
}
