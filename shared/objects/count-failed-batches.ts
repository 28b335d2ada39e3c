import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { clientOptions } from '../kernel/client-options.ts'
import { reportThrottles } from '../kernel/throttling/retry-strategy.ts'

let client: S3Client | undefined

/** Counts the batches of the stream that wait for a replay, up to 1,000. */
export async function countFailedBatches(Bucket: string): Promise<number> {
  client ??= reportThrottles(new S3Client(clientOptions('s3')), 's3')
  const { KeyCount = 0 } = await client.send(new ListObjectsV2Command({ Bucket }))
  return KeyCount
}
