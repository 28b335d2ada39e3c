import { DeleteObjectCommand, GetObjectCommand, ListBucketsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import * as z from 'zod'
/**
 * `npm run replay`: invokes `audit` and `fan-out` again with the batches they gave up on. Both are idempotent. A
 * batch is deleted once all of it succeeded. Works on the running local service (`DATA_DIR`) or on a deployed one
 * (`--stage`).
 */
import { type Given, runCommand } from './command.ts'
import { openService, type RunningService } from './open-service.ts'

const command = {
  name: 'replay',
  does: 'Delivers the batches of changes again that the readers of the stream gave up on. Fix the cause first.',
  options: {
    since: { value: '<ISO time>', meaning: 'only batches set aside since then' },
    'dry-run': { meaning: 'lists them only' },
    stage: { value: '<name>', meaning: 'a deployed service; left out: the local one in DATA_DIR' },
    bucket: { value: '<name>', meaning: 'where its batches are, when the stage does not tell' },
  },
  example: '--dry-run',
} as const

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
type FailedBatch = z.output<typeof FailedBatch> & { readonly key: string }

await runCommand(command, async (given) => ((await replay(given)) === 0 ? 0 : 1))

/** Returns how many of the batches still fail. */
async function replay(given: Given<(typeof command)['options']>): Promise<number> {
  const since = given.since === undefined ? undefined : new Date(given.since)
  if (since && Number.isNaN(since.getTime())) throw new Error('The since must be a time such as 2026-11-20T08:00:00Z.')
  const service = await openService(given)
  try {
    const bucket = await findBucket(service, given.bucket)
    const keys = await listBatches(service, bucket, since)
    let remaining = 0
    for (const [index, key] of keys.entries()) {
      const progress = `${index + 1}/${keys.length}`
      try {
        const batch = await readBatch(service, bucket, key)
        const failed = given['dry-run'] ? undefined : await replayBatch(service, bucket, batch)
        console.log(
          `${progress} ${describe(batch)}: ${failed === undefined ? 'waits' : failed === 0 ? 'went through' : `${failed} failed again, it stays`}`,
        )
        if (failed) remaining += 1
      } catch (error) {
        remaining += 1
        console.log(`${progress} ${key}: stays, ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    if (keys.length === 0) console.log('No batch waits for a replay.')
    else if (!given['dry-run'])
      console.log(remaining === 0 ? 'Nothing remains.' : `${remaining} of ${keys.length} batches remain.`)
    return remaining
  } finally {
    service.close()
  }
}

function describe({ timestamp, requestContext, DDBStreamBatchInfo }: FailedBatch): string {
  return `${timestamp} ${requestContext.functionArn.split(':')[6]}, ${DDBStreamBatchInfo.batchSize} records (${requestContext.condition})`
}

async function findBucket({ s3, prefix }: RunningService, bucket: string | undefined): Promise<string> {
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
async function listBatches({ s3 }: RunningService, bucket: string, since: Date | undefined): Promise<string[]> {
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

async function readBatch({ s3 }: RunningService, bucket: string, key: string): Promise<FailedBatch> {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }))
  const parsed = FailedBatch.safeParse(JSON.parse((await Body?.transformToString()) ?? 'null'))
  if (!parsed.success) throw new Error('the object is not a failed batch of Lambda')
  return { ...parsed.data, key }
}

/**
 * Invokes the function with the batch again, and deletes the batch when every record succeeded. Returns how many
 * records failed.
 */
async function replayBatch(
  service: RunningService,
  bucket: string,
  { key, payload, requestContext }: FailedBatch,
): Promise<number> {
  const answer = (await service.invoke(requestContext.functionArn, payload)) as { batchItemFailures?: unknown[] } | null
  const failed = answer?.batchItemFailures?.length ?? 0
  if (failed === 0) await service.s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }))
  return failed
}
