import { RemovalPolicy, Stack } from 'aws-cdk-lib'
import { Key } from 'aws-cdk-lib/aws-kms'
import type { Construct } from 'constructs'
import { AccessLogsBucket, FailedBatchesBucket, FilesBucket } from './buckets.ts'
import { DataTable } from './data-table.ts'
import { onDemandLimitsOf } from './stack-parameters.ts'

export interface DataStackProps {
  readonly stage: string
  /**
   * Whether the stack and its table refuse to be deleted. Not before the first deployment has succeeded: what failed is
   * deleted and made again. `npm run deploy` sees to that.
   */
  readonly isProtected: boolean
}

/**
 * What must outlive the service: the table, the buckets and the key of the settings. They are retained when the stack
 * goes, except by a creation that failed.
 */
export class DataStack extends Stack {
  readonly table: DataTable
  readonly files: FilesBucket
  readonly failedBatches: FailedBatchesBucket
  readonly settingsKey: SettingsKey

  constructor(scope: Construct, id: string, { stage, isProtected }: DataStackProps) {
    super(scope, id, {
      description: 'Data of the multi-tenant workflow platform',
      terminationProtection: isProtected,
      tags: { service: 'entity-workflow', stage },
    })
    const accessLogs = new AccessLogsBucket(this, 'AccessLogs')
    this.table = new DataTable(this, 'Table', { isProtected, limits: onDemandLimitsOf(this) })
    this.files = new FilesBucket(this, 'Files', accessLogs)
    this.failedBatches = new FailedBatchesBucket(this, 'FailedBatches', accessLogs)
    this.settingsKey = new SettingsKey(this, 'SettingsKey')
  }
}

/** The key that seals the confidential settings of tenants. It rotates each year, and stays when the stack is deleted. */
class SettingsKey extends Key {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      description: 'Seals confidential settings of tenants',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    })
  }
}
