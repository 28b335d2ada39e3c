import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  HttpMethods,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3'
import type { Construct } from 'constructs'

const privateBucket: BucketProps = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
  encryption: BucketEncryption.S3_MANAGED,
  enforceSSL: true,
  removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
}

/** Access logs of the other buckets, kept for 90 days. */
export class AccessLogsBucket extends Bucket {
  constructor(scope: Construct, id: string) {
    super(scope, id, { ...privateBucket, lifecycleRules: [{ id: 'expired', expiration: Duration.days(90) }] })
  }
}

/**
 * Files of records (`files/`), history entries and process states too large for an item, rows of imports, exports,
 * contents of messages, and the files of the web app (`app/`).
 */
export class FilesBucket extends Bucket {
  constructor(scope: Construct, id: string, accessLogs: AccessLogsBucket) {
    super(scope, id, {
      ...privateBucket,
      ...loggedTo(accessLogs, id),
      versioned: true,
      // Presigned URLs are the permission, and no cookie is sent along: the web app uses them at whatever address it is served.
      cors: [
        {
          allowedOrigins: ['*'],
          allowedMethods: [HttpMethods.GET, HttpMethods.PUT],
          allowedHeaders: ['content-type', 'if-none-match'],
          exposedHeaders: ['etag'],
          maxAge: 3600,
        },
      ],
      lifecycleRules: [
        {
          id: 'old-versions',
          abortIncompleteMultipartUploadAfter: Duration.days(1),
          // What was deleted or overwritten by mistake can be brought back for as long as a file without a record.
          noncurrentVersionExpiration: Duration.days(30),
          expiredObjectDeleteMarker: true,
        },
        // Files of builds of the web app, which a tab that is open since then may ask for.
        { id: 'app', prefix: 'app/', ...forgottenAfter(365) },
        { id: 'imports', prefix: 'imports/', ...forgottenAfter(7) },
        { id: 'exports', prefix: 'exports/', ...forgottenAfter(7) },
        // Longer than deliveries are kept, which read their contents here.
        { id: 'deliveries', prefix: 'deliveries/', ...forgottenAfter(92) },
      ],
    })
  }
}

/** What goes by itself is not kept as an old version. */
const forgottenAfter = (days: number) => ({
  expiration: Duration.days(days),
  noncurrentVersionExpiration: Duration.days(1),
})

const loggedTo = (accessLogs: AccessLogsBucket, id: string): BucketProps => ({
  serverAccessLogsBucket: accessLogs,
  serverAccessLogsPrefix: `${id}/`,
})

/** Batches a stream reader gave up on, with whole records for a replay. Kept as long as dead letters. */
export class FailedBatchesBucket extends Bucket {
  constructor(scope: Construct, id: string, accessLogs: AccessLogsBucket) {
    super(scope, id, {
      ...privateBucket,
      ...loggedTo(accessLogs, id),
      lifecycleRules: [{ id: 'expired', expiration: Duration.days(14) }],
    })
  }
}
