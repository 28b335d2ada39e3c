import { ArnFormat, type CfnCondition, Fn, Stack } from 'aws-cdk-lib'
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import {
  type CfnDeploymentGroup,
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Construct } from 'constructs'
import { serverErrors, tooManyServerErrors } from '../monitoring/metrics.ts'
import type { ServiceFunction } from './service-function.ts'

/**
 * New versions of functions that answer requests get a tenth of them for ten minutes. If an alarm rings meanwhile, all
 * requests go back to the old version and the deployment fails, so that CloudFormation takes the rest back, too. Functions
 * behind queues and the stream have no such step: what fails there is repeated, and a version that is older or newer reads
 * their messages (docs/decisions/0066).
 */
export class GradualRollout extends Construct {
  constructor(
    scope: Construct,
    id: string,
    functions: readonly ServiceFunction[],
    { http, isAtOnce }: { readonly http: HttpApi; readonly isAtOnce: CfnCondition },
  ) {
    super(scope, id)
    // It notifies nobody: CodeDeploy reads it. The alarm of the operator is in the monitoring stack, which follows this one.
    const alarm = new Alarm(this, 'ServerErrors', {
      metric: serverErrors(http),
      alarmDescription: 'Takes a deployment back: the API answered five or more 5xx in 5 minutes.',
      threshold: tooManyServerErrors,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    })
    const application = new LambdaApplication(this, 'Application')
    // The managed policies for it reach every function of the account.
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      inlinePolicies: {
        rollout: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:GetProvisionedConcurrencyConfig'],
              resources: [
                Stack.of(this).formatArn({
                  service: 'lambda',
                  resource: 'function',
                  // IAM asks for the ARN of the function, without the alias.
                  resourceName: `${Stack.of(this).stackName}-*`,
                  arnFormat: ArnFormat.COLON_RESOURCE_NAME,
                }),
              ],
            }),
            // It knows no resources.
            new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] }),
          ],
        }),
      },
    })
    for (const { live, node } of functions) {
      if (live === undefined) continue
      const group = new LambdaDeploymentGroup(this, node.id, {
        application,
        alias: live,
        alarms: [alarm],
        role: role.withoutPolicyUpdates(),
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES,
      })
      // Overrides, because the L2 properties take no condition.
      const resource = group.node.defaultChild as CfnDeploymentGroup
      resource.addPropertyOverride(
        'DeploymentConfigName',
        Fn.conditionIf(
          isAtOnce.logicalId,
          LambdaDeploymentConfig.ALL_AT_ONCE.deploymentConfigName,
          LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES.deploymentConfigName,
        ),
      )
      // A repair has to go out while the alarm still rings.
      resource.addPropertyOverride('AlarmConfiguration.Enabled', Fn.conditionIf(isAtOnce.logicalId, false, true))
    }
  }
}
