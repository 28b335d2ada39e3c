import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import { BlockPublicAccess, Bucket, BucketEncryption, type BucketProps, ObjectOwnership } from 'aws-cdk-lib/aws-s3'
import type { Construct } from 'constructs'

const closed: BucketProps = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
  encryption: BucketEncryption.S3_MANAGED,
  enforceSSL: true,
  removalPolicy: RemovalPolicy.RETAIN,
}

/** History bodies too large for an item (`history/`), and later the users' files. */
export class FilesBucket extends Bucket {
  constructor(scope: Construct, id: string) {
    super(scope, id, { ...closed, lifecycleRules: [{ id: 'unfinished-uploads', abortIncompleteMultipartUploadAfter: Duration.days(1) }] })
  }
}

/** Batches that a stream reader gave up on: whole records, for a replay; as long as the dead-letter queues keep theirs. */
export class FailedBatchesBucket extends Bucket {
  constructor(scope: Construct, id: string) {
    super(scope, id, { ...closed, lifecycleRules: [{ id: 'expired', expiration: Duration.days(14) }] })
  }
}
