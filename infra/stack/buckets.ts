import { Aws, Duration, Fn, RemovalPolicy } from 'aws-cdk-lib'
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  type CfnBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3'
import type { Construct } from 'constructs'
import type { StackParameters } from './stack-parameters.ts'

const closed: BucketProps = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
  encryption: BucketEncryption.S3_MANAGED,
  enforceSSL: true,
  removalPolicy: RemovalPolicy.RETAIN,
}

/** Who read and wrote the other buckets, for an investigation: three months. */
export class AccessLogsBucket extends Bucket {
  constructor(scope: Construct, id: string) {
    super(scope, id, { ...closed, lifecycleRules: [{ id: 'expired', expiration: Duration.days(90) }] })
  }
}

/** History bodies too large for an item (`history/`), rows that wait for their import, exports to fetch, and the files of records (`files/`). */
export class FilesBucket extends Bucket {
  constructor(
    scope: Construct,
    id: string,
    { corsOrigins }: Pick<StackParameters, 'corsOrigins'>,
    accessLogs: AccessLogsBucket,
  ) {
    super(scope, id, {
      ...closed,
      ...loggedTo(accessLogs, id),
      lifecycleRules: [
        { id: 'unfinished-uploads', abortIncompleteMultipartUploadAfter: Duration.days(1) },
        { id: 'imports', prefix: 'imports/', expiration: Duration.days(7) },
        { id: 'exports', prefix: 'exports/', expiration: Duration.days(7) },
      ],
    })
    // Browsers upload and fetch at addresses of their own. The L2 property takes no condition.
    const resource = this.node.defaultChild as CfnBucket
    resource.addPropertyOverride(
      'CorsConfiguration',
      Fn.conditionIf(corsOrigins.given.logicalId, { CorsRules: [corsRule(corsOrigins.list)] }, Aws.NO_VALUE),
    )
  }
}

const loggedTo = (accessLogs: AccessLogsBucket, id: string): BucketProps => ({
  serverAccessLogsBucket: accessLogs,
  serverAccessLogsPrefix: `${id}/`,
})

const corsRule = (origins: string[]): object => ({
  AllowedOrigins: origins,
  AllowedMethods: ['GET', 'PUT'],
  AllowedHeaders: ['content-type', 'if-none-match'],
  ExposedHeaders: ['etag'],
  MaxAge: 3600,
})

/** Batches that a stream reader gave up on: whole records, for a replay; as long as the dead-letter queues keep theirs. */
export class FailedBatchesBucket extends Bucket {
  constructor(scope: Construct, id: string, accessLogs: AccessLogsBucket) {
    super(scope, id, {
      ...closed,
      ...loggedTo(accessLogs, id),
      lifecycleRules: [{ id: 'expired', expiration: Duration.days(14) }],
    })
  }
}
