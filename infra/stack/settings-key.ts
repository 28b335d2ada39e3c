import { RemovalPolicy } from 'aws-cdk-lib'
import { Key } from 'aws-cdk-lib/aws-kms'
import type { Construct } from 'constructs'

/** The key that seals the confidential settings of tenants. It rotates each year, and stays when the stack is deleted. */
export class SettingsKey extends Key {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      description: 'Seals confidential settings of tenants',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    })
  }
}
