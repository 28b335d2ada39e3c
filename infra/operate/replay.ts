/**
 * `npm run replay`: invokes `audit` and `fan-out` again with the batches they gave up on. Both are idempotent. A
 * batch is deleted once all of it succeeded. Works on the running local service (`DATA_DIR`) or on a deployed one
 * (`--stage`).
 */
import { type Given, runCommand } from './command.ts'
import { findBucket, listBatches, readBatch, replayBatch, type FailedBatch } from './failed-batches.ts'
import { openService } from './open-service.ts'

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
