import { Aws, type CfnCondition, Fn } from 'aws-cdk-lib'
import { type CfnFunction, CfnPermission, CfnUrl } from 'aws-cdk-lib/aws-lambda'
import type { ServiceFunction } from './service-function.ts'

/**
 * An address of the function itself, while the condition holds: open to everybody, as its routes are, which check secrets of
 * their own. Whoever floods it takes no instance from other functions beyond `maxConcurrency`. Returns the address.
 */
export function addDirectAddress(fn: ServiceFunction, condition: CfnCondition, maxConcurrency: number): string {
  const { targetArn, qualifier } = fn.invoked
  const url = new CfnUrl(fn, 'DirectAddress', { authType: 'NONE', targetFunctionArn: fn.functionArn, qualifier })
  // It names the alias by a word, in which CloudFormation sees no order.
  if (fn.live) url.node.addDependency(fn.live)
  // A public address asks for both.
  const permissions = [
    new CfnPermission(fn, 'DirectAddressIsOpen', {
      action: 'lambda:InvokeFunctionUrl',
      functionName: targetArn,
      principal: '*',
      functionUrlAuthType: 'NONE',
    }),
    new CfnPermission(fn, 'DirectAddressInvokes', {
      action: 'lambda:InvokeFunction',
      functionName: targetArn,
      principal: '*',
      invokedViaFunctionUrl: true,
    }),
  ]
  for (const resource of [url, ...permissions]) resource.cfnOptions.condition = condition
  const resource = fn.node.defaultChild as CfnFunction
  resource.addPropertyOverride(
    'ReservedConcurrentExecutions',
    Fn.conditionIf(condition.logicalId, maxConcurrency, Aws.NO_VALUE),
  )
  return url.attrFunctionUrl
}
