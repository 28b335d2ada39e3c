import { expect, it } from 'vitest'
import { returnMessages } from '../../../../../shared/platform/queue/return-messages.ts'

const record = (n: number, receives: number, queue: string) => ({
  messageId: `m${n}`,
  body: '{}',
  receiptHandle: `r${n}`,
  eventSourceARN: `arn:aws:sqs:eu-central-1:123456789012:${queue}`,
  attributes: { ApproximateReceiveCount: String(receives) },
})

async function secondsOf(queue: string, receives: readonly number[]) {
  const sent: { QueueUrl: string; Entries: { ReceiptHandle: string; VisibilityTimeout: number }[] }[] = []
  await returnMessages(
    receives.map((count, n) => record(n, count, queue)),
    { send: async ({ input }: { input: never }) => void sent.push(input) } as never,
  )
  expect(new Set(sent.map(({ QueueUrl }) => QueueUrl))).toEqual(
    new Set([`https://sqs.eu-central-1.amazonaws.com/123456789012/${queue}`]),
  )
  expect(sent.every(({ Entries }) => Entries.length <= 10)).toBe(true)
  const entries = sent.flatMap(({ Entries }) => Entries)
  expect(entries.map(({ ReceiptHandle }) => ReceiptHandle)).toEqual(receives.map((_, n) => `r${n}`))
  return entries.map(({ VisibilityTimeout }) => VisibilityTimeout)
}

it('brings a failed message back later and later, and sooner where others wait for it', async () => {
  const receives = [1, 2, 3, 4, 5, 6, 7, 12]
  expect(await secondsOf('work', receives)).toEqual([5, 30, 120, 600, 900, 900, 900, 900])
  expect(await secondsOf('work.fifo', receives)).toEqual([2, 10, 30, 60, 180, 300, 300, 300])
})

it('says so for ten messages in a call', async () => {
  expect(
    await secondsOf(
      'work',
      Array.from({ length: 23 }, () => 2),
    ),
  ).toEqual(Array.from({ length: 23 }, () => 30))
})

it('does without the call when it fails: the visibility timeout remains', async () => {
  const refused = { send: () => Promise.reject(new Error('no more calls')) } as never
  await expect(returnMessages([record(1, 1, 'work')], refused)).resolves.toBeUndefined()
})
