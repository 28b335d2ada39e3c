import { S3Client } from '@aws-sdk/client-s3'
import { clientOptions } from '../../kernel/runtime/client-options.ts'
import { reportThrottles } from '../../kernel/throttling/retry-strategy.ts'

/** Answers a client of S3, which it creates on the first call. */
export function clientOnDemand(): () => S3Client {
  let opened: S3Client | undefined
  return () => (opened ??= reportThrottles(new S3Client(clientOptions('s3')), 's3'))
}
