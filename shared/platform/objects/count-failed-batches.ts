import { ListObjectsV2Command } from '@aws-sdk/client-s3'
import { clientOnDemand } from './open-client.ts'

const client = clientOnDemand()

/** Counts the batches of the stream that wait for a replay, up to 1,000. */
export async function countFailedBatches(Bucket: string): Promise<number> {
  const { KeyCount = 0 } = await client().send(new ListObjectsV2Command({ Bucket }))
  return KeyCount
}
