import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { clientOptions } from '../kernel/client-options.ts'

let client: S3Client | undefined

/** How many batches of changes wait for a replay, up to a thousand. */
export async function countFailedBatches(Bucket: string): Promise<number> {
  client ??= new S3Client(clientOptions('s3'))
  const { KeyCount = 0 } = await client.send(new ListObjectsV2Command({ Bucket }))
  return KeyCount
}
