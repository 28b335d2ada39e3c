import { Duration } from 'aws-cdk-lib'
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { type IEventSourceDlq, StartingPosition } from 'aws-cdk-lib/aws-lambda'
import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import type { Trigger } from '../catalogue/deployed-function.ts'
import type { ServiceFunction } from './service-function.ts'

/**
 * Subscribes `fn` to the table's stream. AWS allows two readers per shard: audit and fan-out. A failing batch is
 * bisected until the failing record is isolated; after the last attempt it goes to the bucket.
 */
export function subscribeToChanges(
  table: ITable,
  fn: ServiceFunction,
  trigger: Extract<Trigger, { kind: 'stream' }>,
  failedBatches: IBucket,
): void {
  fn.addEventSource(
    new DynamoEventSource(table, {
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: trigger.batchSize,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      retryAttempts: trigger.retryAttempts,
      maxRecordAge: Duration.hours(trigger.maxAgeHours),
      filters: [{ pattern: JSON.stringify(trigger.filter) }],
      onFailure: failureDestination(failedBatches),
    }),
  )
}

/** CDK's own S3 destination also grants read and delete; Lambda needs these two actions only. */
function failureDestination(bucket: IBucket): IEventSourceDlq {
  return {
    bind: (_mapping, fn) => {
      fn.addToRolePolicy(new PolicyStatement({ actions: ['s3:ListBucket'], resources: [bucket.bucketArn] }))
      fn.addToRolePolicy(new PolicyStatement({ actions: ['s3:PutObject'], resources: [bucket.arnForObjects('*')] }))
      return { destination: bucket.bucketArn }
    },
  }
}
