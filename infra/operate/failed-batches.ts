import { DeleteObjectCommand, GetObjectCommand, ListBucketsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import * as z from 'zod'
import type { RunningService } from './open-service.ts'

/**
 * What Lambda stores in S3 about a batch that a stream reader gave up on (Lambda guide, "Retain discarded records").
 * `payload` is the event.
 */
const FailedBatch = z.object({
  timestamp: z.string(),
  requestContext: z.object({ functionArn: z.string(), condition: z.string() }),
  DDBStreamBatchInfo: z.object({ batchSize: z.int() }),
  payload: z.string(),
})
export type FailedBatch = z.output<typeof FailedBatch> & { readonly key: string }

export async function findBucket({ s3, prefix }: RunningService, bucket: string | undefined): Promise<string> {
  if (bucket !== undefined) return bucket
  // The buckets belong to the data stack.
  const start = (prefix === '' ? 'failedbatches' : `${prefix}data-failedbatches`).toLowerCase()
  const { Buckets = [] } = await s3.send(new ListBucketsCommand({}))
  const [found, ...more] = Buckets.map(({ Name = '' }) => Name).filter((name) => name.startsWith(start))
  if (found !== undefined && more.length === 0) return found
  throw new Error(
    `${found === undefined ? 'No bucket' : 'More than one bucket'} has a name that begins with ${start}: pass --bucket with the stack's output FailedBatchesBucket.`,
  )
}

/** Keys of the stored batches, oldest first. `since`: only batches stored at or after that time. */
export async function listBatches({ s3 }: RunningService, bucket: string, since: Date | undefined): Promise<string[]> {
  const found: { key: string; at: number }[] = []
  let ContinuationToken: string | undefined
  do {
    const page = await s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: 'aws/lambda/', ContinuationToken }))
    for (const { Key = '', LastModified } of page.Contents ?? [])
      found.push({ key: Key, at: LastModified?.getTime() ?? 0 })
    ContinuationToken = page.NextContinuationToken
  } while (ContinuationToken !== undefined)
  return found
    .filter(({ at }) => since === undefined || at >= since.getTime())
    .sort((a, b) => a.at - b.at)
    .map(({ key }) => key)
}

export async function readBatch({ s3 }: RunningService, bucket: string, key: string): Promise<FailedBatch> {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }))
  const parsed = FailedBatch.safeParse(JSON.parse((await Body?.transformToString()) ?? 'null'))
  if (!parsed.success) throw new Error('the object is not a failed batch of Lambda')
  return { ...parsed.data, key }
}

/**
 * Invokes the function with the batch again, and deletes the batch when every record succeeded. Returns how many
 * records failed.
 */
export async function replayBatch(
  service: RunningService,
  bucket: string,
  { key, payload, requestContext }: FailedBatch,
): Promise<number> {
  const answer = (await service.invoke(requestContext.functionArn, payload)) as { batchItemFailures?: unknown[] } | null
  const failed = answer?.batchItemFailures?.length ?? 0
  if (failed === 0) await service.s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }))
  return failed
}
