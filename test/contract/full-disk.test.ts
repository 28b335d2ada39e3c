import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { SQSClient, SendMessageCommand } from '@aws-sdk/client-sqs'
import { ClassicLevel } from 'classic-level'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { tinyCloud } from '../make/services/tiny-cloud.ts'
import { code, freshConsumer, onlyConsumer, putter } from '../make/services/tiny-consumer.ts'
import { arnOf, streamOf, tinyMapping } from '../make/services/tiny-template.ts'

const canLimitFiles = ((): boolean => {
  try {
    return execFileSync('prlimit', ['--version']).length > 0
  } catch {
    return false
  }
})()

/** The disk is full for LevelDB; the directory can still be opened. */
const fill = () =>
  vi
    .spyOn(ClassicLevel.prototype, 'batch')
    .mockRejectedValue(Object.assign(new Error('IO error: No space left on device'), { code: 'LEVEL_IO_ERROR' }))

async function cloudOnDisk() {
  const consumer = freshConsumer()
  const cloud = await tinyCloud({
    code,
    onDisk: true,
    resources: onlyConsumer(tinyMapping('ConsumeFunction', streamOf('Table')), {
      Queue: { Type: 'AWS::SQS::Queue', Properties: {} },
      QueueMapping: tinyMapping('ConsumeFunction', arnOf('Queue')),
    }),
  })
  const client = new SQSClient({ ...cloud.clientOptions('sqs'), maxAttempts: 1 })
  const send = (MessageBody: string) =>
    client.send(new SendMessageCommand({ QueueUrl: 'http://sqs.in-process/0/Queue', MessageBody }))
  return { consumer, cloud, send, put: putter(cloud) }
}

describe('when the disk is full', () => {
  it.runIf(canLimitFiles)(
    'no answered write is lost and no refused one is kept, though the log ends in the middle of a record',
    async () => {
      const directory = await mkdtemp(join(tmpdir(), 'full-disk-'))
      onTestFinished(() => rm(directory, { recursive: true, force: true }))
      const writer = fileURLToPath(new URL('./full-disk/limited-writer.ts', import.meta.url))
      const { stdout } = await promisify(execFile)(process.execPath, [writer, join(directory, 'store')])
      const { told, answered, refused, readMeanwhile, stored } = JSON.parse(stdout)
      expect(refused.length).toBeGreaterThan(5)
      expect(answered).toContain('after-4')
      expect(stored).toEqual(answered.toSorted())
      expect({ told, readMeanwhile }).toEqual({ told: ['ERROR', 'WARN'], readMeanwhile: true })
    },
    240_000,
  )

  it('providers answer 503, and take calls again by themselves when there is room', async () => {
    const { cloud, put, send, consumer } = await cloudOnDisk()
    await put('before')
    await cloud.idle()
    const batch = fill()
    const down = { name: 'ServiceUnavailable', $metadata: { httpStatusCode: 503 } }
    await expect(send('refused')).rejects.toMatchObject(down)
    await expect(put('refused')).rejects.toMatchObject(down)
    expect(cloud.logged.filter(({ level }) => level === 'ERROR')).toHaveLength(1)
    batch.mockRestore()
    await expect.poll(() => put('after').then(() => 'stored')).toBe('stored')
    await send('message')
    await cloud.idle()
    expect(consumer.batches.flat().toSorted()).toEqual(['after', 'before', 'message'])
  })

  it('functions get nothing to do, which they would fail and be charged for, and all of it afterwards', async () => {
    const { cloud, put, send, consumer } = await cloudOnDisk()
    let release = (): void => {}
    consumer.hold = new Promise((resolve) => (release = resolve))
    await Promise.all([put('a'), send('m')])
    await expect.poll(() => consumer.batches.flat().toSorted()).toEqual(['a', 'm'])
    await Promise.all([put('b'), send('n')])
    const batch = fill()
    await expect(put('refused')).rejects.toThrow('cannot be written')
    release()
    await new Promise((resolve) => setTimeout(resolve, 300))
    const meanwhile = consumer.batches.flat().filter((name) => name === 'b')
    batch.mockRestore()
    await cloud.idle()
    expect(meanwhile).toEqual([])
    expect(consumer.batches.flat().toSorted()).toEqual(['a', 'b', 'm', 'n'])
    // A message whose deletion met the full disk is deleted nevertheless: a restart does not bring it back.
    const restarted = await cloud.restart()
    await restarted.idle()
    expect(consumer.batches.flat().filter((name) => name === 'm')).toEqual(['m'])
  })
})
