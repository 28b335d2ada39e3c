import { DeleteObjectCommand, GetObjectCommand, ListBucketsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import * as z from 'zod'
import type { RunningService } from './open-service.ts'

/** What Lambda writes about a batch of changes that a stream reader gave up on (Lambda guide, "Retain discarded records"); to S3 with the event. */
const FailedBatch = z.object({
  timestamp: z.string(),
  requestContext: z.object({ functionArn: z.string(), condition: z.string() }),
  DDBStreamBatchInfo: z.object({ batchSize: z.int() }),
  payload: z.string(),
})
export type FailedBatch = z.output<typeof FailedBatch> & { readonly key: string }

export async function findBucket({ s3, prefix }: RunningService, bucket: string | undefined): Promise<string> {
  if (bucket !== undefined) return bucket
  const start = `${prefix}failedbatches`.toLowerCase()
  const { Buckets = [] } = await s3.send(new ListBucketsCommand({}))
  const [found, ...more] = Buckets.map(({ Name = '' }) => Name).filter((name) => name.startsWith(start))
  if (found !== undefined && more.length === 0) return found
  throw new Error(
    `${found === undefined ? 'No bucket' : 'More than one bucket'} begins with ${start}: give its name (output FailedBatchesBucket of the stack) with --bucket.`,
  )
}

/** Keys of the batches that wait, oldest first. `since`: set aside at or after that moment. */
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
  if (!parsed.success) throw new Error('it is no batch that Lambda set aside with its records')
  return { ...parsed.data, key }
}

/** Gives a batch to its function once more, and drops it when every record went through; answers how many did not. */
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
